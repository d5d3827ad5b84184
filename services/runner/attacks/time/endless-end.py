# Never ends
# tries: endless code in __del__, atexit and a thread at the end of the match
# idea: shutdown handlers
# verdict: plays
# means: dealer

import atexit


class SimplePlayer(Attacker):
    def attack(self):
        class Endless:
            def __del__(self):
                while True:
                    pass

        atexit.register(lambda: time.sleep(60))
        self.kept = Endless()
        threading.Thread(target=time.sleep, args=(60,)).start()
        held("left", "a __del__, an atexit and a thread without end")
