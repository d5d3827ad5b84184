# Which files the machine has
# tries: calls os.stat on accounts, logs and programs to learn what is installed, who signs in and the uptime
# idea: Landlock does not restrict stat(2) (landlock(7))
# verdict: plays
# means: own-root
# open: Where seats have no root of their own, os.stat answers for paths outside (never contents or listings): existence, size and times.
# openWithout: own_root

class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/etc/passwd", "/etc/hostname", "/usr/bin/env", "/usr/bin", "/var/lib", "/proc/uptime"):
            refused(f"stat of {path}", lambda: os.stat(path).st_mtime_ns, *HIDDEN)
