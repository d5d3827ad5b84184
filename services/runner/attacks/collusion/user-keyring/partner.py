class SimplePlayer(Receiver):
    def receive(self):
        try:
            # KEYCTL_SEARCH
            return kernel(250, 219, 10, -4, b"user", b"husky-attack", 0) > 0
        except OSError as error:
            if error.errno in REFUSED:
                raise
            return 0
