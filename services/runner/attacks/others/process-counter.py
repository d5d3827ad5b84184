# The machine's counter of processes
# tries: reads its own process id and those of new threads, which reveal the machine's counter
# idea: idle scans by predictable counters (Sanfilippo 1998)
# verdict: plays
# means: pid-namespace
# open: Where seats share process numbers (no namespace of process ids), the numbers of new threads tell how many threads others have started.
# openWithout: pid_namespace

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
