import attackcached


class SimplePlayer(Attacker):
    def attack(self):
        say("held" if attackcached.ORIGIN == "source" else "ESCAPED", "runs its", attackcached.ORIGIN)
