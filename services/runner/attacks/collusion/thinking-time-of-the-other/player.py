class SimplePlayer(Receiver):
    def receive(self):
        times = []
        for pid in neighbours(12):
            try:
                times.append(time.clock_gettime_ns((~pid << 3) | 2))
            except OSError as error:
                self.once("held", "clock of another process", code_of(error))
        total = sum(times)
        spent, self.before = total - getattr(self, "before", total), total
        return spent > 4_000_000
