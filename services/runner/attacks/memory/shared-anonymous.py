# Memory that no limit counts
# tries: shared anonymous mappings, which RLIMIT_DATA leaves out
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, shared-mappings

import mmap


class SimplePlayer(Attacker):
    def attack(self):
        refused("mmap shared", lambda: mmap.mmap(-1, 64 << 20))
        refused("/dev/zero shared", lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 64 << 20), *HIDDEN)
        refused("memfd_create", lambda: kernel(319, 279, b"x", 0))
        refused("memfd_secret", lambda: kernel(447, 447, 0))
