# Calls that are not known yet
# tries: makes every system call from 424 to 600, most of which do not exist yet
# idea: default allow in older filters
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        done = []
        for number in range(424, 601):
            if number in (435, 436, 439, 441, 449):
                continue
            try:
                answer = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
            except ValueError:
                continue
            if answer >= 0 or errno.errorcode.get(ctypes.get_errno()) not in ("EPERM", "ENOSYS"):
                done.append(f"{number}:{answer}:{errno.errorcode.get(ctypes.get_errno())}")
        bounded("numbers that answer something else", len(done), 0, " ".join(done)[:200] or "numbers")
