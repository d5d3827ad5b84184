# Control characters in the log
# tries: escape sequences, carriage returns, zero bytes, endless lines, broken UTF-8
# idea: terminal escapes in logs
# verdict: plays
# means: log

class SimplePlayer(Attacker):
    def attack(self):
        os.write(1, b"\x1b]0;owned\x07\x1b[2J\r\x00\xff\xfe" + b"\xe2\x80\xae" + b"y" * 5000 + b"\n")
        print("<script>alert(1)</script>" * 10)
        held("written", "as text only")
