# Looks into other processes
# tries: ptrace, process_vm_readv and kcmp on parent and neighbours
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        everybody = [parent(), *neighbours()]
        first_reached("ptrace attach", lambda pid: kernel(101, 117, 0x4206, pid, 0, 0), everybody)
        # struct iovec of one readable word of its own: an empty one is answered before the kernel looks at the process.
        word = ctypes.create_string_buffer(8)
        vector = (ctypes.c_size_t * 2)(ctypes.addressof(word), 8)
        first_reached("process_vm_readv", lambda pid: kernel(310, 270, pid, vector, 1, vector, 1, 0), everybody)
        first_reached("kcmp", lambda pid: kernel(312, 272, os.getpid(), pid, 2, 0, 0), everybody)
        refused("ptrace me", lambda: kernel(101, 117, 0, 0, 0, 0))
        refused("pidfd_getfd", lambda: kernel(438, 438, 0, 0, 0))
