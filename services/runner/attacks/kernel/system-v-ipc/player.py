class SimplePlayer(Attacker):
    def attack(self):
        refused("shmget", lambda: kernel(29, 194, 0, 4096, 0o1600))
        refused("msgget", lambda: kernel(68, 186, 0, 0o1600))
        refused("semget", lambda: kernel(64, 190, 0, 1, 0o1600))
        refused("semtimedop", lambda: kernel(220, 192, 0, 0, 0, 0))
