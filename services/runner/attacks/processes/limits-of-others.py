# Changes the limits of others
# tries: calls prlimit for parent and neighbours, which Landlock does not restrict
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        first_reached("prlimit", lambda pid: kernel(302, 261, pid, 7, 0, ctypes.create_string_buffer(16)), [parent(), *neighbours()])
