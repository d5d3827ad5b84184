# Sets clocks
# tries: settimeofday, clock_settime, adjtimex, stime with the present time
# idea: classic escapes from chroots and sandboxes
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("clock_settime", lambda: time.clock_settime_ns(time.CLOCK_REALTIME, time.time_ns()))
        refused("settimeofday", lambda: kernel(164, 170, 0, 0))
        refused("adjtimex", lambda: kernel(159, 171, ctypes.create_string_buffer(256)))
        refused("clock_adjtime", lambda: kernel(305, 266, 0, ctypes.create_string_buffer(256)))
