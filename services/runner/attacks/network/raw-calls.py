# Raw calls
# tries: socket and friends by number, past Python
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        for name, number in (("socket", (41, 198)),):
            for family in range(1, 45):
                refused(f"family {family}", lambda: kernel(*number, family, 1, 0), *REFUSED)
        refused("accept4", lambda: kernel(288, 242, 60, 0, 0, 0))
        refused("sendmmsg", lambda: kernel(307, 269, 60, 0, 0, 0))
