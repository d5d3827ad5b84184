"""Confines the calling process before any of the bot's code or packages is read."""

import os
import resource
import signal
from typing import Any, Dict, List, NamedTuple, Optional

from husky_seat import landlock, mounts, namespaces, seat_root, seccomp
from husky_seat.kernel import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, PR_SET_THP_DISABLE, drop_capabilities, prctl
from husky_seat.seat_root import API_DIR
from husky_seat.sockets import PAIRS

MAX_THREADS = 32
"""Maximum number of threads of a seat; the host kills a seat with more."""

LINK, SCRATCH_MOUNT, FIRST_PAIR = 60, 61, 64
"""Descriptors: the dealer's connection, the scratch file system between fork and mount, the pairs of sockets.

They are high, so that a bot's own files get the usual low numbers.
"""

MAX_FILES = FIRST_PAIR + 2 * PAIRS

MAX_FILE_BYTES = 4 << 20
"""Maximum size of one file in a seat's scratch directory, in bytes."""

_STACK_BYTES = 8 << 20
# Added to the memory limit for memory that is mapped but never used: thread stacks and the allocator's reserve.
_DATA_HEADROOM = 160 << 20

_MAX_LINKS = 64


class Means(NamedTuple):
    """The means of the sandbox that this machine has.

    `uid`: the seat's own user id; None: it has the host's. `landlock`: ABI version, 0 for none. `pids`: each seat has a process id namespace. `root`: the
    folder where the zygote has built the seats' root, or None. `scratch`: `tmpfs`, `volume`, `disk` (a folder without a size limit) or `none`.
    """

    uid: Optional[int]
    landlock: int
    seccomp: bool
    limits: bool
    pids: bool
    root: Optional[str]
    scratch: str


class ConfineError(Exception):
    """A means of the sandbox could not be set up. `means` is its name, `why` the reason."""

    def __init__(self, means: str, why: str) -> None:
        super().__init__(f"{means}: {why}")
        self.means = means
        self.why = why


# Landlock's rules for the library.
_library_rules: List[Any] = []


def prepare(readable: Optional[List[str]]) -> None:
    """Computes the rules and the filter that all seats share. Called in their parent. `readable`: the paths of an own root that seats may read."""
    paths = landlock.system_paths() if readable is None else readable
    rules = [(path, landlock.READ) for path in [*paths, *seat_root.RANDOM, API_DIR]]
    _library_rules[:] = [*rules, ("/dev/null", landlock.READ_FILE | landlock.WRITE_FILE)]
    if seccomp.available():
        seccomp.build(1)


def confine(spec: Dict[str, Any], means: Means, parent: int) -> Dict[str, Any]:
    """Confines the calling process as the seat that `spec` describes; returns `spec` with the paths inside the sandbox.

    Raises ConfineError and then leaves the process partly confined. Cannot be undone.
    """
    step = "limits"
    try:
        _leave_group()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        _raise_oom_score()
        step = "own_root"
        spec = _mount_files(spec, means)
        rules = None
        if means.landlock:
            step = "landlock"
            rules = landlock.create_ruleset(means.landlock, [*_library_rules, *_own_rules(spec)])
        if means.limits:
            step = "limits"
            _set_limits(spec["memory_mib"])
        step = "own_uid"
        _change_user(means)
        step = "scratch_limit"
        _enter_home(spec)
        step = "limits"
        prctl(PR_SET_DUMPABLE, 0)
        # Whether the machine has huge pages left would show in the number of page faults.
        prctl(PR_SET_THP_DISABLE, 1)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # In its own pid namespace a seat sees 0 as its parent, and the kernel kills it when the zygote ends.
        if os.getppid() not in (parent, 0):
            os._exit(1)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        if rules is not None:
            step = "landlock"
            landlock.restrict(rules)
        if means.seccomp:
            step = "seccomp"
            seccomp.install(seccomp.build(os.getpid()))
        return spec
    except (OSError, ValueError) as error:
        raise ConfineError(step, str(error)) from error


def _leave_group() -> None:
    """Leaves the host's process group, and also its session if that has a terminal, which a seat must not reach.

    Without a terminal the seat stays in the session: one of its own would get its own share of the processors, whatever nice value
    the runner has (sched(7), autogroup).
    """
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        os.setpgid(0, 0)
    else:
        os.setsid()


def _mount_files(spec: Dict[str, Any], means: Means) -> Dict[str, Any]:
    """Mounts the bot, its packages and its scratch at their paths inside the sandbox."""
    if means.root is None and not spec["in_memory"]:
        return spec
    namespaces.unshare(namespaces.NEW_MOUNTS)
    if spec["in_memory"]:
        mounts.attach(SCRATCH_MOUNT, spec["scratch"] or means.root + seat_root.SCRATCH)
        os.close(SCRATCH_MOUNT)
    return seat_root.enter(means.root, spec) if means.root else spec


def _enter_home(spec: Dict[str, Any]) -> None:
    """Changes to the scratch folder, with links to the bot's files, or to the bot's folder where there is no scratch."""
    home = spec["scratch"]
    os.chdir(home or spec["bot_dir"])
    if home:
        for name in sorted(os.listdir(spec["bot_dir"]))[:_MAX_LINKS]:
            os.symlink(os.path.join(spec["bot_dir"], name), name)
    _clean_environment(home)


def _own_rules(spec: Dict[str, Any]) -> List[Any]:
    rules = [(spec["bot_dir"], landlock.READ)]
    if spec["scratch"]:
        rules.append((spec["scratch"], landlock.SCRATCH))
    if spec["packages_dir"]:
        rules.append((spec["packages_dir"], landlock.READ))
    return rules


def _raise_oom_score() -> None:
    """Makes the kernel kill seats first when the machine is out of memory, if it permits that. The sampler's limit does not depend on it."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as adjust:
            adjust.write("1000")
    except OSError:
        return


def _set_limits(memory_mib: int) -> None:
    data = (memory_mib << 20) + _DATA_HEADROOM
    for limit, value in (
        (resource.RLIMIT_DATA, data),
        (resource.RLIMIT_STACK, _STACK_BYTES),
        (resource.RLIMIT_FSIZE, MAX_FILE_BYTES),
        (resource.RLIMIT_NOFILE, MAX_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        # Queued signals are counted per user, and seats may share one.
        (resource.RLIMIT_SIGPENDING, 0),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_NICE, 0),
    ):
        hard = resource.getrlimit(limit)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))
    # A write beyond RLIMIT_FSIZE must raise OSError in the bot instead of killing it.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _change_user(means: Means) -> None:
    if means.uid is None:
        # Those of root, or those in the user namespace.
        drop_capabilities()
        return
    os.setgroups([])
    os.setresgid(means.uid, means.uid, means.uid)
    os.setresuid(means.uid, means.uid, means.uid)
    if means.limits:
        # Counts the threads of this user id, which only this seat has.
        resource.setrlimit(resource.RLIMIT_NPROC, (MAX_THREADS, MAX_THREADS))


def _clean_environment(scratch: Optional[str]) -> None:
    os.environ.clear()
    os.environ.update(PATH="/usr/bin:/bin", LANG="C.UTF-8", PYTHONDONTWRITEBYTECODE="1")
    if scratch:
        os.environ.update(HOME=scratch, TMPDIR=scratch)
    for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
