# Garbage in permitted calls
# tries: permitted calls with wrong pointers and lengths
# idea: fuzzing by syzkaller
# verdict: plays, crash
# means: seccomp

import random


class SimplePlayer(Attacker):
    def attack(self):
        chance = random.Random(1)
        calls = [(0, 63), (1, 64), (8, 62), (5, 80), (72, 25), (16, 29), (28, 233), (228, 113), (262, 79), (318, 278)]
        for _ in range(3000):
            number = chance.choice(calls)
            try:
                kernel(*number, 70 + chance.randrange(1000), *[chance.choice((0, 1, -1, 4095, 1 << 31, 1 << 47, -(1 << 63))) for _ in range(4)])
            except OSError:
                pass
        held("garbage", "3,000 calls answered")
