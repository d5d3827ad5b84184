import resource


class SimplePlayer(Attacker):
    def attack(self):
        for name in ("NOFILE", "DATA", "FSIZE", "MEMLOCK", "NICE", "RTPRIO", "MSGQUEUE", "CORE", "STACK"):
            limit = getattr(resource, f"RLIMIT_{name}")
            try:
                resource.setrlimit(limit, (1 << 40, 1 << 40))
                escaped(name, "raised")
            except (OSError, ValueError) as error:
                held(name, error)
