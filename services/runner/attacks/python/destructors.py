# Code in destructors
# tries: __del__ that raises, resurrects and computes at every collection
# idea: Python jails of capture-the-flag contests
# verdict: plays
# means: dealer

import gc


class SimplePlayer(Attacker):
    def attack(self):
        class Phoenix:
            kept = []
            def __del__(self):
                Phoenix.kept.append(self)
                raise SystemExit("not yet")
        for _ in range(100):
            Phoenix()
        gc.collect()
        held("destructors", f"{len(Phoenix.kept)} came back, in its own process")
