# Opens as many files as it can
# tries: opens /dev/null until the kernel refuses
# idea: online judges of programming contests
# verdict: plays
# means: rlimits

class SimplePlayer(Attacker):
    def attack(self):
        kept = []
        until("descriptors", lambda number: kept.append(os.open("/dev/null", os.O_RDONLY)), 5000, "descriptors", 64)
        for fd in kept:
            os.close(fd)
