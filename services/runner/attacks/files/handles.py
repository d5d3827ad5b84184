# Files by handle
# tries: name_to_handle_at and open_by_handle_at, which walk past paths
# idea: the Docker escape shocker.c
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        buffer = ctypes.create_string_buffer(128)
        refused("name_to_handle_at", lambda: kernel(303, 264, -100, b"/", buffer, ctypes.create_string_buffer(8), 0))
        refused("open_by_handle_at", lambda: kernel(304, 265, 0, buffer, 0))
