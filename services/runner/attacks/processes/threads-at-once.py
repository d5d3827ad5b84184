# Many threads before anybody looks
# tries: starts 200 threads within a moment, faster than the sampler looks
# idea: races with supervisors that poll
# verdict: plays, crash
# means: own-user, sampler
# open: Where seats share a user, more than 32 threads live for up to 60 ms until the sampler ends the bot.
# openWithout: own_uid

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
