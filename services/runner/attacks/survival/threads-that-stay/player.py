class SimplePlayer(Attacker):
    def attack(self):
        def stay():
            while True:
                time.sleep(0.05)
        threading.Thread(target=stay, daemon=False).start()
        kernel(157, 167, 15, b"husky-attack\0", 0, 0, 0)
        held("thread", "it must be gone with the match")
