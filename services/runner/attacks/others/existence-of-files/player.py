class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/etc/passwd", "/etc/hostname", "/usr/bin/env", "/usr/bin", "/var/lib", "/proc/uptime"):
            refused(f"stat of {path}", lambda: os.stat(path).st_mtime_ns, *HIDDEN)
