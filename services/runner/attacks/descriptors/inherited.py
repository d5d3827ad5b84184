# Descriptors left by others
# tries: checks which descriptors up to 4,095 are open: only the link and the standard ones may be
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: descriptors

class SimplePlayer(Attacker):
    def attack(self):
        def is_open(fd):
            try:
                os.fstat(fd)
                return True
            except OSError:
                return False
        found = [fd for fd in range(4096) if is_open(fd)]
        note("open", found)
        bounded("descriptors besides the link and the pairs of sockets", len(set(found) - {0, 1, 2, 60, *range(64, 72)}), 0, "descriptors")
