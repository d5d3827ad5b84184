# Timers as fast as they go
# tries: a signal every microsecond with a handler in Python
# idea: online judges of programming contests
# verdict: plays, disabled
# means: clock, seccomp

import signal


class SimplePlayer(Attacker):
    def attack(self):
        try:
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.setitimer(signal.ITIMER_REAL, 0.000001, 0.000001)
            end = time.monotonic() + 0.5
            while time.monotonic() < end:
                pass
            signal.setitimer(signal.ITIMER_REAL, 0)
            held("timer", "only its own turns got slower")
        except OSError as error:
            held("timer", code_of(error))
