class SimplePlayer(Attacker):
    def attack(self):
        def start(number):
            if number == 33:
                # At once: the sampler may end it before the last one.
                escaped("threads", "33 at once")
            threading.Thread(target=time.sleep, args=(1,), daemon=True).start()

        until("threads", start, 200, "threads", 32)
