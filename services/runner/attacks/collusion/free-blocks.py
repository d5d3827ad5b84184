# Free blocks of the volume
# tries: one takes 8 MiB of disk, the other reads the free blocks by statfs
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: scratch, seccomp
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        free = os.statvfs(".").f_bfree * os.statvfs(".").f_frsize
        worth, self.before = free - getattr(self, "before", free), free
        if abs(worth) > 3 << 20:
            self.state = worth < 0
        return getattr(self, "state", False)

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        if bit and not os.path.exists("block"):
            for part in ("block", "block2"):
                fd = os.open(part, os.O_CREAT | os.O_RDWR)
                os.write(fd, b"x" * (4 << 20))
                os.close(fd)
        elif not bit and os.path.exists("block"):
            os.unlink("block")
            os.unlink("block2")
