# Programs and counters in the kernel
# tries: bpf, perf_event_open
# idea: CVE-2021-3490, CVE-2013-2094
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("bpf", lambda: kernel(321, 280, 0, ctypes.create_string_buffer(128), 128))
        refused("perf_event_open", lambda: kernel(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0))
