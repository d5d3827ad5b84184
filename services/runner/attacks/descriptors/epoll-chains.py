# Chains of epoll
# tries: nests epoll descriptors and adds each to each: the kernel walks them
# idea: CVE-2011-1082
# verdict: plays
# means: rlimits, seccomp

import select


class SimplePlayer(Attacker):
    def attack(self):
        try:
            polls = [select.epoll() for _ in range(20)]
            for outer in polls:
                for inner in polls:
                    try:
                        outer.register(inner.fileno(), select.EPOLLIN)
                    except (OSError, ValueError):
                        pass
            held("epoll", "20 of them, bounded by the kernel and 64 descriptors")
        except OSError as error:
            held("epoll", code_of(error))
