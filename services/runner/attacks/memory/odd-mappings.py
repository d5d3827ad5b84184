# Mappings of other kinds
# tries: maps memory that grows downwards, uses huge pages or is locked, which is counted differently
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, rlimits

class SimplePlayer(Attacker):
    def attack(self):
        PRIVATE_ANONYMOUS = 0x22
        if not AT_ARM:
            for name, flag in (("growing down", 0x100), ("locked", 0x2000), ("huge pages", 0x40000)):
                refused(name, lambda: kernel(9, 222, 0, 1 << 21, 3, PRIVATE_ANONYMOUS | flag, -1, 0))
        refused("mlock", lambda: kernel(149, 228, ctypes.create_string_buffer(4096), 4096), *REFUSED, errno.ENOMEM)
        refused("mlockall", lambda: kernel(151, 230, 3), *REFUSED, errno.ENOMEM)
