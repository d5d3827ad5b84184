class SimplePlayer(Sender):
    def send(self, bit):
        with open("stamp", "wb", buffering=0) as file:
            for _ in range(4 * bit):
                file.write(b"x")
                os.fstat(file.fileno())
