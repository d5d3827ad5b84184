# Says that it is ready before it is
# tries: sends a forged ready line while loading and then never finishes loading
# idea: the readiness protocol
# verdict: crash, startup, protocol, disabled, plays
# means: dealer, answers

say("begin")
held("writing", "a forged ready line")
os.write(60, b'{"ready":true,"load_ms":1}\n')
time.sleep(30)


class SimplePlayer(Attacker):
    def attack(self):
        pass
