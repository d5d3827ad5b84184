# Numbers of new threads
# tries: one starts threads, the other starts one and reads its thread id
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: pid-namespace
# hands: 80
# open: Where seats share process numbers (no namespace of process ids), the numbers of new threads tell how many threads others have started.
# openWithout: pid_namespace

class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            for _ in range(200):
                thread = threading.Thread(target=int)
                thread.start()
                thread.join()

# --- partner.py
class SimplePlayer(Receiver):
    def receive(self):
        made = []
        thread = threading.Thread(target=lambda: made.append(threading.get_native_id()))
        thread.start()
        thread.join()
        moved, self.before = made[0] - getattr(self, "before", made[0]), made[0]
        # Other programs of the machine start fewer within a hand.
        return moved > 150
