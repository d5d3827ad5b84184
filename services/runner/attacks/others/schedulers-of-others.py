# Scheduling of others
# tries: sched_getaffinity, sched_getscheduler, getpriority, ioprio_get of others
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        everybody = [one for one in (parent(), *neighbours()) if one != os.getpid()]
        first_reached("sched_getaffinity", os.sched_getaffinity, everybody)
        first_reached("sched_getscheduler", os.sched_getscheduler, everybody)
        first_reached("sched_getparam", os.sched_getparam, everybody)
        first_reached("getpriority", lambda pid: os.getpriority(os.PRIO_PROCESS, pid), everybody)
        first_reached("ioprio_get", lambda pid: kernel(252, 31, 1, pid), everybody)
