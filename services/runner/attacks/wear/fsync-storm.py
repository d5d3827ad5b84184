# Syncs without end
# tries: fsync of a small file for a second; sync and syncfs of the whole machine
# idea: the journal that all share
# verdict: plays, disabled
# means: scratch, seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("sync", lambda: kernel(162, 81))
        refused("syncfs", lambda: kernel(306, 267, 0))
        try:
            fd = os.open("synced", os.O_CREAT | os.O_WRONLY)
            end, count = time.monotonic() + 0.8, 0
            while time.monotonic() < end:
                os.write(fd, b"x")
                os.fsync(fd)
                count += 1
            held("fsync", f"{count} times on its own time")
        except OSError as error:
            held("fsync", code_of(error))
