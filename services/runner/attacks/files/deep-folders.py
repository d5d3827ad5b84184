# Folders that cannot be removed
# tries: nests 2,000 folders with long names and closes the last to itself
# idea: tools that delete recursively by path
# verdict: plays, crash
# means: scratch, sampler, cleaning

class SimplePlayer(Attacker):
    def attack(self):
        home = os.getcwd()
        def deeper(number):
            os.mkdir("d" * 200, 0o700 if number % 7 else 0o300)
            os.chdir("d" * 200)
        until("folders", deeper, 2000, "folders", 1900)
        os.chdir(home)
