# Keys and keyrings
# tries: add_key, request_key, keyctl: a store that outlives processes
# idea: CVE-2016-0728
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("add_key", lambda: kernel(248, 217, b"user", b"husky-attack", b"x", 1, -4))
        refused("request_key", lambda: kernel(249, 218, b"user", b"husky-attack", 0, 0))
        refused("keyctl", lambda: kernel(250, 219, 0, -3, 1))
