# A regular expression without end
# tries: catastrophic backtracking holds the interpreter's lock in C code
# idea: ReDoS
# verdict: plays, disabled
# means: clock, dealer

import re


class SimplePlayer(Attacker):
    def attack(self):
        held("matching", "until the dealer gives up")
        re.match(r"(a+)+$", "a" * 64 + "b")
