# Memory in thread stacks
# tries: threads with stacks of 64 MiB that touch them
# idea: online judges of programming contests
# verdict: plays, memory, crash
# means: rlimits, sampler

class SimplePlayer(Attacker):
    def attack(self):
        threading.stack_size(64 << 20)
        def start(number):
            threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
        until("threads with 64 MiB", start, 31, "threads", 6)
