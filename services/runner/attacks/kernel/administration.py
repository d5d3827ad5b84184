# Administration of the machine
# tries: swap, accounting, quotas, host name, kernel log, hang-up
# idea: a root shell
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        for name, x86, arm in (("swapon", 167, 224), ("swapoff", 168, 225), ("acct", 163, 89), ("quotactl", 179, 60), ("syslog", 103, 116), ("sethostname", 170, 161), ("setdomainname", 171, 162), ("vhangup", 153, 58)):
            refused(name, lambda: kernel(x86, arm, -1, -1, -1, -1))
