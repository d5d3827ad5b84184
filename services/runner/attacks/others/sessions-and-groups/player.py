class SimplePlayer(Attacker):
    def attack(self):
        def other(call):
            def attempt(pid):
                call(pid)
            return attempt
        everybody = [one for one in (parent(), *neighbours()) if one != os.getpid()]
        first_reached("getsid", other(os.getsid), everybody)
        first_reached("getpgid", other(os.getpgid), everybody)
