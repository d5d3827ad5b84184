class SimplePlayer(Receiver):
    def receive(self):
        reader, writer = os.pipe()
        number = os.fstat(reader).st_ino
        os.close(reader)
        os.close(writer)
        moved, self.before = number - getattr(self, "before", number), number
        return moved > 300
