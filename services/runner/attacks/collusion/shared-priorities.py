# Priorities that others can read
# tries: one sets its own nice value, the other reads it
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: seccomp
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        values = []
        for pid in neighbours(12):
            try:
                values.append(os.getpriority(os.PRIO_PROCESS, pid))
            except OSError as error:
                self.once("held", "priority of another process", code_of(error))
        return max(values, default=0) > 0

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        os.nice(1) if bit else None
