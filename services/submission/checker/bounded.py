"""Sets limits on itself and then executes another program: bounded.py <largest file in bytes> <CPU seconds> <program> [argument...]."""

import os
import resource
import sys


def main():
    largest_file, cpu_seconds = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    # Ends with SIGXCPU: SIGKILL, which two equal limits would send, is that of the system when memory is short.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])


if __name__ == "__main__":
    main()
