# Structures that the kernel writes to
# tries: the list of robust futexes of parent and neighbours
# idea: futex bugs, CVE-2014-3153
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        first_reached("robust list of others", lambda pid: kernel(274, 100, pid, ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)), [parent(), *neighbours()])
