# Metadata of the run folder
# tries: sizes and times of sockets, bots and packages, which tell who plays and when
# idea: tried by strangers against this platform
# verdict: plays
# means: own-root, landlock
# open: Where seats have no root of their own, os.stat answers for paths outside (never contents or listings): existence, size and times.
# openWithout: own_root

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
