class SimplePlayer(Attacker):
    def attack(self):
        first_reached("prlimit", lambda pid: kernel(302, 261, pid, 7, 0, ctypes.create_string_buffer(16)), [parent(), *neighbours()])
