# Starts and ends threads
# tries: thousands of short threads
# idea: schedulers
# verdict: plays
# means: clock

class SimplePlayer(Attacker):
    def attack(self):
        end, count = time.monotonic() + 0.8, 0
        while time.monotonic() < end:
            thread = threading.Thread(target=int)
            thread.start()
            thread.join()
            count += 1
        held("threads", f"{count} on its own time")
