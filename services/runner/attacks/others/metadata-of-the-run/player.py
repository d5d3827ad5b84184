class SimplePlayer(Attacker):
    def attack(self):
        own = os.path.dirname(os.path.realpath(__file__))
        seen = []
        for path in ("host.sock", "seat-1.sock", "scratch/seat-1"):
            for base in (os.path.dirname(os.path.dirname(own)), os.path.join(os.getcwd(), "..", ".."), "/run/husky"):
                try:
                    seen.append(f"{path} {os.stat(os.path.join(base, path)).st_mtime_ns}")
                except OSError:
                    continue
        bounded("places seen", len(seen), 0, " ".join(seen)[:120] or "places")
