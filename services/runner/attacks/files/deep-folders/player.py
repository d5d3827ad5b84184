class SimplePlayer(Attacker):
    def attack(self):
        home = os.getcwd()
        def deeper(number):
            os.mkdir("d" * 200, 0o700 if number % 7 else 0o300)
            os.chdir("d" * 200)
        until("folders", deeper, 2000, "folders", 1900)
        os.chdir(home)
