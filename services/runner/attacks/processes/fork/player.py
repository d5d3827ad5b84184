class SimplePlayer(Attacker):
    def attack(self):
        def child():
            if os.fork() == 0:
                os._exit(0)
        refused("fork", child)
        refused("posix_spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
        refused("execve", lambda: os.execv("/bin/husky-attack-nothing", ["true"]))
