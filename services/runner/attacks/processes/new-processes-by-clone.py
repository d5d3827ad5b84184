# Processes by raw clone
# tries: calls clone with every set of flags that is not a thread, clone3 and vfork
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        for name, flags in (("process", 17), ("shares memory", 0x100 | 17), ("shares files", 0x400 | 17), ("new pid namespace", 0x20000000 | 17),
                            ("new user namespace", 0x10000000 | 17), ("vfork", 0x4100 | 17), ("thread in a namespace", 0x3D0F00 | 0x10000000)):
            if name in ("shares memory", "vfork", "thread in a namespace"):
                # Without a stack of its own these would destroy the bot where they work.
                stack = ctypes.addressof(ctypes.create_string_buffer(65536)) + 65000 & ~15
                refused(name, lambda: kernel(56, 220, flags | 1 << 40, stack, 0, 0, 0), *REFUSED, errno.EINVAL)
                continue
            def child():
                if kernel(56, 220, flags, 0, 0, 0, 0) == 0:
                    os._exit(0)
            refused(name, child)
        refused("clone3", lambda: kernel(435, 435, 0, 0))
        refused("execveat", lambda: kernel(322, 281, -1, b"", 0, 0, 0))
