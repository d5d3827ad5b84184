# Ends other bots
# tries: signal 0 to every process number near its own, by kill, tkill, tgkill and queued signals
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, landlock, own-user
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        first_reached("kill", lambda pid: os.kill(pid, 0), neighbours())
        first_reached("tkill", lambda pid: kernel(200, 130, pid, 0), neighbours())
        first_reached("tgkill", lambda pid: kernel(234, 131, pid, pid, 0), neighbours())
        first_reached("rt_sigqueueinfo", lambda pid: kernel(129, 138, pid, 0, ctypes.create_string_buffer(128)), neighbours())
        first_reached("pidfd_open", lambda pid: kernel(434, 434, pid, 0), neighbours())
