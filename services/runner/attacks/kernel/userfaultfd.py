# Holds the kernel up in a page fault
# tries: userfaultfd, memory advice of others
# idea: CVE-2019-18683 and others that won races with it
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("userfaultfd", lambda: kernel(323, 282, 1))
        refused("process_madvise", lambda: kernel(440, 440, 0, 0, 0, 0, 0))
        refused("process_mrelease", lambda: kernel(448, 448, 0, 0))
