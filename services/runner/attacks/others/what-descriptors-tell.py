# What descriptors and mounts tell of the machine
# tries: reads the path of the link's socket and the machine's numbers of mounts
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp

import socket


class SimplePlayer(Attacker):
    def attack(self):
        link = socket.socket(fileno=os.dup(60), family=socket.AF_UNIX, type=socket.SOCK_STREAM, proto=0)
        refused("the path of the link", link.getsockname)
        refused("the path of its other end", link.getpeername)
        refused("numbers of mounts", lambda: kernel(332, 291, 1, b"", 0x1000, 0x7FF, ctypes.create_string_buffer(256)))
        refused("a handle of a file", lambda: kernel(303, 264, -100, b".", ctypes.create_string_buffer(256), ctypes.create_string_buffer(8), 0))
