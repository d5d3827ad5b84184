class SimplePlayer(Attacker):
    at_decision = 1

    def attack(self):
        def burn():
            while True:
                pass
        threading.Thread(target=burn, daemon=True).start()
        held("burning", "beside the match")
