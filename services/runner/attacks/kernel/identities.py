# Becomes somebody else
# tries: setuid and all its family, capabilities, groups
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        for name, x86, arm in (("setuid", 105, 146), ("setgid", 106, 144), ("setreuid", 113, 145), ("setresuid", 117, 147), ("setresgid", 119, 149), ("setfsuid", 122, 151), ("setfsgid", 123, 152), ("setgroups", 116, 159)):
            refused(name, lambda: kernel(x86, arm, 0, 0, 0))
        refused("capset", lambda: kernel(126, 91, ctypes.create_string_buffer(8), ctypes.create_string_buffer(24)))
