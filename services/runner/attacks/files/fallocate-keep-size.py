# One system call fills the disk
# tries: fallocate with KEEP_SIZE of 256 MiB on an unlinked file: RLIMIT_FSIZE does not bind it
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp, scratch

class SimplePlayer(Attacker):
    def attack(self):
        fd = os.open("big", os.O_RDWR | os.O_CREAT)
        os.unlink("big")
        refused("fallocate KEEP_SIZE", lambda: kernel(285, 47, fd, 1, 0, 256 << 20), *REFUSED, errno.ENOSPC, errno.EFBIG, errno.EOPNOTSUPP)
        os.close(fd)
