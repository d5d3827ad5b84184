class SimplePlayer(Attacker):
    def attack(self):
        first_reached("clock of another process", lambda pid: time.clock_gettime_ns((~pid << 3) | 2), [parent(), *neighbours()])
