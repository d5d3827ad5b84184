class SimplePlayer(Attacker):
    def attack(self):
        for fd in range(3, 64):
            try:
                os.write(fd, b"garbage\n")
                note("written to", fd)
            except OSError:
                pass
        held("descriptors", "only the link takes it")
