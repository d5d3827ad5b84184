# Takes more than its share
# tries: real-time scheduling, a better nice value, another core, deadline scheduling
# idea: online judges of programming contests
# verdict: plays
# means: seccomp, rlimits

class SimplePlayer(Attacker):
    def attack(self):
        refused("FIFO", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
        refused("nice -20", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
        refused("all cores", lambda: os.sched_setaffinity(0, range(64)))
        refused("sched_setattr", lambda: kernel(314, 274, 0, ctypes.create_string_buffer(56), 0))
        refused("real-time I/O", lambda: kernel(251, 30, 1, 0, 1 << 13))
