# Other interpreters in the process
# tries: subinterpreters and threads that survive the first
# idea: Python jails of capture-the-flag contests
# verdict: plays
# means: rlimits, dealer

class SimplePlayer(Attacker):
    def attack(self):
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            interpreters = None
        if interpreters is None:
            held("subinterpreters", "not in this Python")
        else:
            try:
                inner = interpreters.create()
                interpreters.run_string(inner, "import os\ntry:\n    os.listdir('/etc')\n    print('attack: ESCAPED listing: from a subinterpreter', flush=True)\nexcept OSError as error:\n    print('attack: held listing: from a subinterpreter', flush=True)")
                held("subinterpreter", "under the same rules")
            except Exception as error:
                held("subinterpreter", error)
