# A file of a terabyte
# tries: ftruncate and pwrite far beyond the limit of a file
# idea: online judges of programming contests
# verdict: plays
# means: rlimits, scratch

class SimplePlayer(Attacker):
    def attack(self):
        fd = os.open("sparse", os.O_RDWR | os.O_CREAT)
        for size in (1 << 40, 64 << 20):
            refused(f"ftruncate {size >> 20} MiB", lambda: os.ftruncate(fd, size), *REFUSED, *FULL)
            refused(f"pwrite at {size >> 20} MiB", lambda: os.pwrite(fd, b"x", size), *REFUSED, *FULL)
