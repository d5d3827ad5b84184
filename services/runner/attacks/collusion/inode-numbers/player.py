class SimplePlayer(Receiver):
    def receive(self):
        with open("probe", "w") as made:
            number = os.fstat(made.fileno()).st_ino
        os.unlink("probe")
        moved, self.before = number - getattr(self, "before", number), number
        return abs(moved) > 20
