# Garbage on every descriptor
# tries: writes a line to each open descriptor up to 63, including the dealer's link
# idea: the sandbox's own attempts (seat/tests)
# verdict: protocol
# means: dealer, descriptors

class SimplePlayer(Attacker):
    def attack(self):
        for fd in range(3, 64):
            try:
                os.write(fd, b"garbage\n")
                note("written to", fd)
            except OSError:
                pass
        held("descriptors", "only the link takes it")
