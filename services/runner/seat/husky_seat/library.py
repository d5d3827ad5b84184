"""What a Python program reads of the machine: the standard library, shared libraries, time zones. Copied for seats with a root of their own."""

import ctypes
import glob
import mmap
import os
import shutil
import stat
import sysconfig
from typing import Any, Callable, Collection, Iterator, List, Optional

# Parts of the standard library that no bot can use, and versions for other optimisation levels.
_UNUSED = shutil.ignore_patterns("test", "tests", "idlelib", "ensurepip", "turtledemo", "site-packages", "dist-packages", "config-*", "*.opt-?.pyc")
_ZONES = "/usr/share/zoneinfo"
_FILES = ("/etc/ld.so.cache", "/etc/localtime")

# Libraries that wheels expect of every machine: PEP 600 (manylinux_2_28), those of compilers and compression.
_OF_WHEELS = """
libc.so.6 libm.so.6 libmvec.so.1 libdl.so.2 librt.so.1 libpthread.so.0 libutil.so.1 libnsl.so.1 libresolv.so.2 libgcc_s.so.1 libstdc++.so.6 libatomic.so.1
libz.so.1 libexpat.so.1 libglib-2.0.so.0 libgthread-2.0.so.0 libgobject-2.0.so.0 libX11.so.6 libXext.so.6 libXrender.so.1 libICE.so.6 libSM.so.6 libGL.so.1
""".split()

_STATES_OF_PAGES = 3
_BUFFER = bytearray(1 << 20)


def copy(target: str) -> List[str]:
    """Copies the library without the interpreter, under the same paths, below a folder. Returns the copied folders and files; raises OSError."""
    folders = sorted({os.path.realpath(sysconfig.get_path(kind)) for kind in ("stdlib", "platstdlib")})
    for path in folders:
        copy_folder(path, target + path, _UNUSED)
    if os.path.isdir(_ZONES):
        copy_folder(_ZONES, target + _ZONES, shutil.ignore_patterns("posix", "right"))
    files = {*_shared_libraries(folders), *(path for path in _FILES if os.path.exists(path))}
    for path in files:
        if not os.path.exists(target + path):
            os.makedirs(os.path.dirname(target + path), exist_ok=True)
            copy_file(path, target + path)
    for path in _links(files):
        if not os.path.lexists(target + path):
            os.makedirs(os.path.dirname(target + path), exist_ok=True)
            os.symlink(os.readlink(path), target + path)
    return [*folders, *sorted(files)]


def readable(copied: List[str], root: str) -> List[str]:
    """Returns the paths of a copy that seats may read."""
    libraries = {os.path.dirname(path) for path in copied if path not in _FILES and not os.path.isdir(root + path)}
    folders = [path for path in [*copied, _ZONES] if os.path.isdir(root + path)]
    return sorted({*folders, *libraries, *(path for path in _FILES if path in copied)})


def _links(targets: Collection[str]) -> List[str]:
    """Returns the symbolic links by which the dynamic loader finds these files: those beside them, and folders of libraries."""
    places = {os.path.dirname(path) for path in targets if ".so" in os.path.basename(path)}
    beside = [os.path.join(place, name) for place in places for name in os.listdir(place) if ".so" in name]
    top = [path for path in ("/lib", "/lib64", "/usr/lib64") if os.path.isdir(path)]
    return [path for path in [*top, *beside] if os.path.islink(path) and (path in top or os.path.realpath(path) in targets)]


def _shared_libraries(folders: List[str]) -> Iterator[str]:
    """Returns the shared libraries that the interpreter, its extension modules and wheels need, as the dynamic loader finds them."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reader)
            os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
            modules = [one for folder in folders for one in glob.glob(f"{glob.escape(folder)}/**/lib-dynload/*.so", recursive=True)]
            for name in [*modules, *_OF_WHEELS]:
                try:
                    ctypes.CDLL(name)
                except OSError:
                    continue
            with open("/proc/self/maps", "rb") as maps, open(writer, "wb") as names:
                names.write(maps.read())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8", errors="surrogateescape") as maps:
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if line.count("/")}
    os.waitpid(pid, 0)
    return iter(path for path in paths if path.startswith("/") and ".so" in os.path.basename(path) and os.path.isfile(path))


def copy_folder(source: str, target: str, ignore: Optional[Callable[[Any, List[str]], Any]] = None) -> None:
    """Copies a folder; .pyc files stay valid, because times are kept."""
    os.makedirs(target, exist_ok=True)
    shutil.copytree(source, target, symlinks=True, ignore=ignore, copy_function=copy_file, dirs_exist_ok=True)


def settle(folder: str) -> None:
    """Reads every file below a folder in memory until reading changes nothing more; raises OSError.

    A page that is read is marked as referenced, then active, then referenced again (Linux, mm/swap.c, folio_mark_accessed): how long that takes would tell
    a seat whether another has read it."""
    paths = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    files = [path for path in paths if stat.S_ISREG(os.lstat(path).st_mode)]
    for _ in range(_STATES_OF_PAGES):
        for path in files:
            with open(path, "rb", buffering=0) as read:
                while read.readinto(_BUFFER):
                    pass
        # Marks wait for others on each processor, but not beyond this call.
        with mmap.mmap(-1, mmap.PAGESIZE) as page:
            page.madvise(mmap.MADV_DONTNEED)


def copy_file(source: str, target: str) -> None:
    """Copies a file with its time and makes it readable for every user."""
    shutil.copyfile(source, target)
    state = os.stat(source)
    os.utime(target, ns=(state.st_mtime_ns, state.st_mtime_ns))
    os.chmod(target, 0o755 if state.st_mode & 0o100 else 0o644)
