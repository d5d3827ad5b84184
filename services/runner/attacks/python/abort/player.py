import resource


class SimplePlayer(Attacker):
    def attack(self):
        note("core limit", resource.getrlimit(resource.RLIMIT_CORE))
        held("aborting", "no core may be left")
        os.abort()
