class SimplePlayer(Attacker):
    def attack(self):
        fd = os.open("big", os.O_RDWR | os.O_CREAT)
        os.unlink("big")
        refused("fallocate KEEP_SIZE", lambda: kernel(285, 47, fd, 1, 0, 256 << 20), *REFUSED, errno.ENOSPC, errno.EFBIG, errno.EOPNOTSUPP)
        os.close(fd)
