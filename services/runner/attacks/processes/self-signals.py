# Ends by every signal
# tries: sends itself SIGSTOP and SIGKILL: a stopped bot must not stop the match
# idea: online judges of programming contests
# verdict: plays, crash, disabled
# means: dealer, seccomp

import signal


class SimplePlayer(Attacker):
    def attack(self):
        held("signals", "to itself only")
        for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGKILL):
            try:
                os.kill(os.getpid(), number)
            except OSError as error:
                held(number.name, code_of(error))
