# Other modes of fallocate
# tries: punch, collapse, zero, insert and unshare on a small file, by ranges of 64 MiB
# idea: the manual page of fallocate(2)
# verdict: plays
# means: seccomp, scratch

class SimplePlayer(Attacker):
    def attack(self):
        fd = os.open("small", os.O_RDWR | os.O_CREAT)
        os.write(fd, b"x" * 8192)
        for name, mode in (("zero range", 16), ("zero range, keep size", 17), ("insert", 32), ("collapse", 8), ("unshare", 64)):
            refused(name, lambda: kernel(285, 47, fd, mode, 4096, 64 << 20), *REFUSED, *FULL, errno.EOPNOTSUPP, errno.EINVAL)
        os.close(fd)
