say("begin")
held("loading", "for ever")
while True:
    time.sleep(1)


class SimplePlayer(Attacker):
    def attack(self):
        pass
