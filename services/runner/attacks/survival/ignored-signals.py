# Limits and masks for those that follow
# tries: lowers its limits, blocks all signals and raises its nice value, none of which may affect the next seat
# idea: inheritance of limits
# verdict: plays
# means: dealer, cleaning
# matches: 3

import resource
import signal


class SimplePlayer(Attacker):
    def attack(self):
        soft = resource.getrlimit(resource.RLIMIT_CPU)[0]
        say("ESCAPED" if soft == 77 else "held", "limit of an earlier match", soft)
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        bounded("signals blocked before", len(blocked), 0, "signals")
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (77, 78))
        except (OSError, ValueError) as error:
            note("limit", code_of(error))
