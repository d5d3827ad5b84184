class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            os.close(os.open(f"f{self.hand}", os.O_CREAT | os.O_WRONLY))
            os.unlink(f"f{self.hand}")
