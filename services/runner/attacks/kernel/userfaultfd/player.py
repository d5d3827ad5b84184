class SimplePlayer(Attacker):
    def attack(self):
        refused("userfaultfd", lambda: kernel(323, 282, 1))
        refused("process_madvise", lambda: kernel(440, 440, 0, 0, 0, 0, 0))
        refused("process_mrelease", lambda: kernel(448, 448, 0, 0))
