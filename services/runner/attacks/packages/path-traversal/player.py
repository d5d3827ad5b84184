import attackslip


class SimplePlayer(Attacker):
    def attack(self):
        folder = os.path.dirname(os.path.dirname(attackslip.__file__))
        say("held" if sorted(os.listdir(folder))[:1] == ["attackslip"] else "note", "unpacked", " ".join(sorted(os.listdir(folder)))[:200])
        for place in ("/tmp/husky-attack-slip", "../husky-attack-slip", os.path.join(folder, "..", "husky-attack-slip")):
            say("ESCAPED" if os.path.lexists(place) else "held", place, "is not there")
