class SimplePlayer(Attacker):
    def attack(self):
        made = []
        for _ in range(8):
            thread = threading.Thread(target=lambda: made.append(threading.get_native_id()))
            thread.start()
            thread.join()
        # A namespace of its own counts from 1: this process and the threads it has started.
        bounded("own process number", os.getpid(), 1, "in the count")
        bounded("number of the last thread", made[-1], 64, "in the count")
