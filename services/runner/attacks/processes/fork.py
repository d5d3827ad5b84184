# Starts processes
# tries: calls fork, posix_spawn and execve, whose children would outlive the match
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        def child():
            if os.fork() == 0:
                os._exit(0)
        refused("fork", child)
        refused("posix_spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
        refused("execve", lambda: os.execv("/bin/husky-attack-nothing", ["true"]))
