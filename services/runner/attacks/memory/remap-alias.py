# Doubles what is counted
# tries: mremap with a length of 0 makes a second view of a shared mapping
# idea: the manual page of mremap(2)
# verdict: plays
# means: seccomp, rlimits

import mmap


class SimplePlayer(Attacker):
    def attack(self):
        open("mapped", "wb").write(b"x" * 65536)
        view = mmap.mmap(os.open("mapped", os.O_RDWR), 65536, mmap.MAP_PRIVATE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(view))
        refused("a second view", lambda: kernel(25, 216, address, 0, 65536, 1), *REFUSED, errno.EINVAL)
        refused("growing to 290 MiB", lambda: kernel(25, 216, address, 65536, 290 << 20, 1), *REFUSED, errno.ENOMEM, errno.EFAULT)
