import attackcompiler


class SimplePlayer(Attacker):
    def attack(self):
        say("held" if attackcompiler.LOADED else "ESCAPED", "the package is imported, whatever the compiler made of its other modules")
