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
        bounded("descriptors besides its own", len(set(found) - {0, 1, 2, 60}), 0, "descriptors")
