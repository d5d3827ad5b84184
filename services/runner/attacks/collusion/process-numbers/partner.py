class SimplePlayer(Receiver):
    def receive(self):
        made = []
        thread = threading.Thread(target=lambda: made.append(threading.get_native_id()))
        thread.start()
        thread.join()
        moved, self.before = made[0] - getattr(self, "before", made[0]), made[0]
        # Other programs of the machine start fewer within a hand.
        return moved > 150
