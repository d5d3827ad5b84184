say("begin")
held("writing", "a forged ready line")
os.write(60, b'{"ready":true,"load_ms":1}\n')
time.sleep(30)


class SimplePlayer(Attacker):
    def attack(self):
        pass
