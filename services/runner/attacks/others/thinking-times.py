# How long opponents think
# tries: clock_gettime with the clock of another process's processor time
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        first_reached("clock of another process", lambda pid: time.clock_gettime_ns((~pid << 3) | 2), [parent(), *neighbours()])
