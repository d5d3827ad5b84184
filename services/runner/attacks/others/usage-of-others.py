# What others use
# tries: getrusage of children, times, the cgroup's files, load and free memory
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: landlock, seccomp

import resource


def first_character(path):
    character = open(path).read(1)
    if not character:
        raise OSError(errno.ENOENT, "empty: the container runtime masks this file")
    return character


class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/proc/loadavg", "/proc/stat", "/proc/meminfo", "/proc/pressure/cpu", "/proc/self/cgroup", "/sys/fs/cgroup/cpu.stat", "/proc/schedstat", "/proc/interrupts"):
            refused(path, lambda: first_character(path), *HIDDEN)
        try:
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            bounded("time of children", children.ru_utime + children.ru_stime, 0, "s")
        except OSError as error:
            held("time of children", code_of(error))
        refused("sysinfo", lambda: kernel(99, 179, ctypes.create_string_buffer(128)))
