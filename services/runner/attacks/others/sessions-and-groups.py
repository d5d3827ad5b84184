# Sessions and groups of others
# tries: calls getsid and getpgid for process ids near its own to learn which exist
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        def other(call):
            def attempt(pid):
                call(pid)
            return attempt
        everybody = [one for one in (parent(), *neighbours()) if one != os.getpid()]
        first_reached("getsid", other(os.getsid), everybody)
        first_reached("getpgid", other(os.getpgid), everybody)
