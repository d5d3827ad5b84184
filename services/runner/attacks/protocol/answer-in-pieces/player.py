class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "bytes of an answer")
        for byte in b"[1":
            os.write(60, bytes([byte]))
            time.sleep(0.01)
