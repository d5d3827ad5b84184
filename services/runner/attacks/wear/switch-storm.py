# Changes places without end
# tries: two threads that wake each other, and sched_yield
# idea: context switches
# verdict: plays
# means: clock

class SimplePlayer(Attacker):
    def attack(self):
        ping, pong, going = threading.Semaphore(0), threading.Semaphore(0), [True]
        def answer():
            while going[0]:
                ping.acquire()
                pong.release()
        threading.Thread(target=answer, daemon=True).start()
        end, count = time.monotonic() + 0.6, 0
        while time.monotonic() < end:
            ping.release()
            pong.acquire()
            os.sched_yield()
            count += 1
        going[0] = False
        ping.release()
        held("switches", f"{count} on its own time")
