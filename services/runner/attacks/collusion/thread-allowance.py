# The user's allowance of threads
# tries: one starts all threads that it may, the other tests whether it can start one
# idea: RLIMIT_NPROC counts a user
# verdict: plays
# means: own-user
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        started = []
        try:
            for _ in range(12):
                end = threading.Event()
                threading.Thread(target=end.wait, args=(3,), daemon=True).start()
                started.append(end)
        except RuntimeError:
            return 1
        finally:
            for end in started:
                end.set()
        return 0

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        for end in getattr(self, "kept", []):
            end.set()
        self.kept = []
        if bit:
            try:
                for _ in range(24):
                    end = threading.Event()
                    threading.Thread(target=end.wait, args=(3,), daemon=True).start()
                    self.kept.append(end)
            except RuntimeError:
                pass
