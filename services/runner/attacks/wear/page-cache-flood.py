# Pushes others out of the page cache
# tries: reads and drops up to 200 MiB of libraries again and again
# idea: noisy neighbours
# verdict: plays, disabled
# means: clock

class SimplePlayer(Attacker):
    def attack(self):
        total = 0
        for folder, _, files in os.walk(os.path.dirname(os.__file__)):
            for name in files:
                if total < 200 << 20:
                    try:
                        with open(os.path.join(folder, name), "rb") as file:
                            total += len(file.read(1 << 20))
                            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                    except OSError:
                        pass
        held("read", f"{total >> 20} MiB on its own time")
