class SimplePlayer(Attacker):
    def attack(self):
        # Small stacks: with those of 8 MiB RLIMIT_DATA ends it before the number of threads does.
        threading.stack_size(64 << 10)

        def start(number):
            if number == 33:
                # At once: the sampler may end it before the last one.
                escaped("threads", "33 at once")
            threading.Thread(target=time.sleep, args=(1,), daemon=True).start()

        until("threads", start, 200, "threads", 32)
