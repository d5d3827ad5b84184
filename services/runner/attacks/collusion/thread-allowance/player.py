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
