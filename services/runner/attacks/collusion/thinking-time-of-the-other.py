# Processor time of the other
# tries: one computes 5 ms for a one, the other reads the processor clock of the first
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp
# hands: 80

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

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            end = time.thread_time() + 0.005
            while time.thread_time() < end:
                pass
