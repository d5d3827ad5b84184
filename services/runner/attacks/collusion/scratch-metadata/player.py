class SimplePlayer(Receiver):
    def receive(self):
        parent, own = os.path.split(os.getcwd())
        seen = []
        for seat in range(6):
            if f"seat-{seat}" != own:
                try:
                    one = os.stat(os.path.join(parent, f"seat-{seat}"))
                    seen.append((one.st_mtime_ns, one.st_size))
                except OSError as error:
                    self.once("held", "a neighbour's folder", code_of(error))
        changed, self.before = seen != getattr(self, "before", seen), seen
        return changed
