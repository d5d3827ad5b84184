"""Closes the sandbox around the calling process, step by step, before any of the bot's code or packages is read."""

import os
import resource
import signal
from functools import lru_cache
from typing import Any, Dict, List, NamedTuple, Optional

from husky_seat import landlock, seccomp
from husky_seat.kernel import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, drop_capabilities, prctl

MAX_THREADS = 32
"""Threads of a seat; above it the host kills."""

MAX_FILES = 64
MAX_FILE_BYTES = 4 << 20
"""Size of one file in a seat's scratch directory."""

_STACK_BYTES = 8 << 20
# Room beyond the memory limit for what is mapped but never touched: thread stacks and the allocator's spare.
_DATA_HEADROOM = 160 << 20

API_DIR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "api")


class Means(NamedTuple):
    """Which parts of the sandbox this machine has: own user id (or None), Landlock ABI (0: none), seccomp."""

    uid: Optional[int]
    landlock: int
    seccomp: bool


class ConfineError(Exception):
    """A part of the sandbox could not be closed: `means` names it, the text says why."""

    def __init__(self, means: str, why: str) -> None:
        super().__init__(f"{means}: {why}")
        self.means = means
        self.why = why


@lru_cache(maxsize=1)
def _system_rules() -> List[Any]:
    rules = [(path, landlock.READ) for path in [*landlock.system_paths(), API_DIR]]
    return [*rules, ("/dev/null", landlock.READ_FILE | landlock.WRITE_FILE)]


def prepare() -> None:
    """Compute in the parent what is the same for every seat."""
    _system_rules()
    if seccomp.available():
        seccomp.build(1)


def confine(spec: Dict[str, Any], means: Means, parent: int) -> None:
    """Confine the calling process as the seat that `spec` describes; raises ConfineError and leaves it half closed."""
    step = "limits"
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        _become_first_to_die()
        rules = None
        if means.landlock:
            step = "landlock"
            rules = landlock.ruleset(means.landlock, [*_system_rules(), *_own_rules(spec)])
        step = "limits"
        _limit(spec["memory_mib"])
        step = "own_uid"
        _change_user(means.uid)
        step = "scratch"
        os.chdir(spec["scratch"])
        _clean_environment(spec["scratch"])
        step = "limits"
        prctl(PR_SET_DUMPABLE, 0)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        if rules is not None:
            step = "landlock"
            landlock.restrict(rules)
        if means.seccomp:
            step = "seccomp"
            seccomp.install(seccomp.build(os.getpid()))
    except (OSError, ValueError) as error:
        raise ConfineError(step, str(error)) from error


def _own_rules(spec: Dict[str, Any]) -> List[Any]:
    rules = [(spec["bot_dir"], landlock.READ), (spec["scratch"], landlock.SCRATCH)]
    if spec["packages_dir"]:
        rules.append((spec["packages_dir"], landlock.READ))
    return rules


def _become_first_to_die() -> None:
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as adjust:
            adjust.write("1000")
    except OSError:
        # Only decides who dies first when the whole machine is out of memory; the sampler's limit stands without it.
        return


def _limit(memory_mib: int) -> None:
    data = (memory_mib << 20) + _DATA_HEADROOM
    for limit, value in (
        (resource.RLIMIT_DATA, data),
        (resource.RLIMIT_STACK, _STACK_BYTES),
        (resource.RLIMIT_FSIZE, MAX_FILE_BYTES),
        (resource.RLIMIT_NOFILE, MAX_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_NICE, 0),
    ):
        hard = resource.getrlimit(limit)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))
    # A write beyond RLIMIT_FSIZE shall be an OSError in the bot, not its death.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _change_user(uid: Optional[int]) -> None:
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        # Counts the threads of this user id, which nobody else has.
        resource.setrlimit(resource.RLIMIT_NPROC, (MAX_THREADS, MAX_THREADS))
    elif os.geteuid() == 0:
        drop_capabilities()


def _clean_environment(scratch: str) -> None:
    os.environ.clear()
    os.environ.update(HOME=scratch, TMPDIR=scratch, PATH="/usr/bin:/bin", LANG="C.UTF-8", PYTHONDONTWRITEBYTECODE="1")
    for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
