# Asynchronous calls past the filter
# tries: io_uring_setup, enter, register: calls made by a ring do not pass seccomp
# idea: CVE-2022-2602, CVE-2023-2598 and what Google turned off
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("io_uring_setup", lambda: kernel(425, 425, 8, ctypes.create_string_buffer(120)))
        refused("io_uring_enter", lambda: kernel(426, 426, 0, 0, 0, 0, 0, 0))
        refused("io_uring_register", lambda: kernel(427, 427, 0, 0, 0, 0))
