# Searches its own memory
# tries: reads the stack and the C heap for data of its parent: environment, logs of other bots
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: environment

class SimplePlayer(Attacker):
    def attack(self):
        libc_only = ctypes.CDLL(None)
        start = ctypes.c_void_p.in_dll(libc_only, "__progname_full").value
        stack = ctypes.string_at(start, 4096 - start % 4096)
        words = [word for word in (b"SECRET", b"PASSWORD", b"TOKEN", b"KEY_FILE", b"DATABASE_URL", b"postgresql://", b"eyJ") if word in stack]
        bounded("secrets on the stack", len(words), 0, "words")
        bounded("variables of the environment", len([name for name in os.environ if not name.endswith("_NUM_THREADS")]), 8, "variables")
