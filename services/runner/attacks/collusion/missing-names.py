# Names that were looked up
# tries: one looks up names that do not exist in every folder that both see, the other measures how long the first look-up of these names takes
# idea: the kernel's cache of names (negative directory entries)
# verdict: plays
# means: own-root
# hands: 80
# open: Where seats have no root of their own, a look-up of a missing name is faster when another seat has looked it up.
# openWithout: own_root

class SimplePlayer(Receiver):
    def on_start(self, *given):
        super().on_start(*given)
        self.table = given[5][0]

    def clocked(self, path):
        began = time.perf_counter_ns()
        os.path.exists(path)
        return time.perf_counter_ns() - began

    def receive(self):
        votes = 0
        for folder in ("/", "/etc", "/usr", "/usr/lib", "/usr/share/zoneinfo", "/bot", "/packages", "/tmp", os.path.dirname(os.__file__)):
            path = f"{folder}/husky-{self.table}-{self.hand}"
            other = self.clocked(f"{path}-other")
            known = self.clocked(f"{path}-other")
            agreed = min(self.clocked(f"{path}-{number}") for number in range(4))
            # Where a failed look-up is not remembered, `known` takes as long as `other`.
            votes += known < 0.7 * other and agreed < (known + other) / 2
        return votes > 0

# --- partner.py
class SimplePlayer(Sender):
    def on_start(self, *given):
        super().on_start(*given)
        self.table = given[5][0]

    def send(self, bit):
        for folder in ("/", "/etc", "/usr", "/usr/lib", "/usr/share/zoneinfo", "/bot", "/packages", "/tmp", os.path.dirname(os.__file__)):
            for number in range(4 * bit):
                os.path.exists(f"{folder}/husky-{self.table}-{self.hand}-{number}")
