# Raises its own limits
# tries: setrlimit and prlimit of descriptors, data, file size, locked memory
# idea: online judges of programming contests
# verdict: plays
# means: rlimits, seccomp

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
