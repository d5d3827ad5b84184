# Offers a service
# tries: binds unix, abstract and internet addresses
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, landlock

import socket


class SimplePlayer(Attacker):
    def attack(self):
        def listen(family, address):
            with socket.socket(family) as link:
                link.bind(address)
                link.listen(1)
        refused("internet", lambda: listen(socket.AF_INET, ("127.0.0.1", 0)))
        refused("a file", lambda: listen(socket.AF_UNIX, "sock"))
        refused("abstract", lambda: listen(socket.AF_UNIX, "\0husky-attack"))
        refused("netlink", lambda: socket.socket(16, socket.SOCK_RAW, 0))
