class SimplePlayer(Attacker):
    def attack(self):
        first_reached("robust list of others", lambda pid: kernel(274, 100, pid, ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)), [parent(), *neighbours()])
