# The keyring of a user
# tries: one stores a key in the user's keyring, the other searches for it
# idea: keyrings(7): every process of a user shares one
# verdict: plays
# means: seccomp, own-user
# hands: 80

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

# --- partner.py
class SimplePlayer(Receiver):
    def receive(self):
        try:
            # KEYCTL_SEARCH
            return kernel(250, 219, 10, -4, b"user", b"husky-attack", 0) > 0
        except OSError as error:
            if error.errno in REFUSED:
                raise
            return 0
