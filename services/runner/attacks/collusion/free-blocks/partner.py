class SimplePlayer(Sender):
    def send(self, bit):
        if bit and not os.path.exists("block"):
            for part in ("block", "block2"):
                fd = os.open(part, os.O_CREAT | os.O_RDWR)
                os.write(fd, b"x" * (4 << 20))
                os.close(fd)
        elif not bit and os.path.exists("block"):
            os.unlink("block")
            os.unlink("block2")
