class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "ready lines")
        os.write(60, b'{"ready":true,"load_ms":0}\n{"ready":false,"error":"x","line":1}\n')
