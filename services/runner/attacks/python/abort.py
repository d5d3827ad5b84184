# Ends by abort
# tries: os.abort with core dumps asked for
# idea: Python jails of capture-the-flag contests
# verdict: crash
# means: dealer, rlimits

import resource


class SimplePlayer(Attacker):
    def attack(self):
        note("core limit", resource.getrlimit(resource.RLIMIT_CORE))
        held("aborting", "no core may be left")
        os.abort()
