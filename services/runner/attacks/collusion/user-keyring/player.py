class SimplePlayer(Sender):
    kept = None

    def send(self, bit):
        if bit and self.kept is None:
            # add_key to KEY_SPEC_USER_KEYRING
            self.kept = kernel(248, 217, b"user", b"husky-attack", b"1", 1, -4)
        elif not bit and self.kept is not None:
            # KEYCTL_UNLINK
            kernel(250, 219, 9, self.kept, -4, 0, 0)
            self.kept = None
