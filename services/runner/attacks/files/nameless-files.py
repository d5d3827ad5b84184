# Files that never had a name
# tries: O_TMPFILE in its folder until it is full
# idea: the O_TMPFILE flag
# verdict: plays, crash
# means: scratch, rlimits

class SimplePlayer(Attacker):
    def attack(self):
        kept = []
        def more(number):
            fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
            kept.append(fd)
            os.write(fd, b"x" * (4 << 20))
        bounded("disk", 4 * until("nameless files", more, MAX_MIB // 4, "files of 4 MiB", 60), 64)
