# The stack without an end
# tries: recursion without a limit, in C frames and in a thread
# idea: Python jails of capture-the-flag contests
# verdict: plays, memory, crash
# means: rlimits, sampler

class SimplePlayer(Attacker):
    def attack(self):
        held("recursing", "until it ends")
        sys.setrecursionlimit(1_000_000)
        def down(value):
            return [down([value]) for _ in range(1)]
        try:
            down(0)
        except (RecursionError, MemoryError) as error:
            held("recursion", type(error).__name__)
