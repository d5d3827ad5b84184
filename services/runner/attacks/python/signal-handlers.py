# Handlers for every signal
# tries: catches what can be caught, SIGSYS, SIGSEGV and SIGXCPU among them, and ignores the rest
# idea: Python jails of capture-the-flag contests
# verdict: plays
# means: dealer, seccomp

import signal


class SimplePlayer(Attacker):
    def attack(self):
        caught = 0
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
                caught += 1
            except (OSError, ValueError):
                pass
        held("handlers", f"{caught} signals ignored; SIGKILL still ends it")
