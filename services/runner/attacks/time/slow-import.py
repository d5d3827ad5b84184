# Never gets ready
# tries: has a module that never finishes loading
# idea: every contest with a clock
# verdict: startup
# means: clock, dealer

say("begin")
held("loading", "for ever")
while True:
    time.sleep(1)


class SimplePlayer(Attacker):
    def attack(self):
        pass
