# Slows others down
# tries: affinity, nice, scheduler and I/O priority of parent and neighbours
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        everybody = [parent(), *neighbours()]
        first_reached("affinity", lambda pid: os.sched_setaffinity(pid, {0}), everybody)
        first_reached("nice", lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19), everybody)
        first_reached("scheduler", lambda pid: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)), everybody)
        first_reached("I/O priority", lambda pid: kernel(251, 30, 1, pid, 3 << 13), everybody)
        refused("nice of all of the user", lambda: os.setpriority(os.PRIO_USER, 0, 19))
