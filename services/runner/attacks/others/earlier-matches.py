# What was played here before
# tries: searches memory inherited from the warmed parent for logs, names and cards of earlier matches
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: environment, cleaning

import gc


class SimplePlayer(Attacker):
    def attack(self):
        texts = [one for one in gc.get_objects() if isinstance(one, (list, dict, tuple))]
        hits = 0
        for one in texts:
            if isinstance(one, dict):
                hits += sum(1 for key in list(one) if isinstance(key, str) and key in ("match", "log_bytes", "startup_ms", "socket", "job_id"))
        bounded("traces of other matches", hits, 0, "objects")
