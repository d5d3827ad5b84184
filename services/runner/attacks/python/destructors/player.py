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
