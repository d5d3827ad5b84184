"""Packs a folder of installed wheels into a .tar.gz whose bytes depend only on the content of the files:
pack.py <folder> <archive> <limits as JSON> <runner's Python, as 3.11>. The limits are those of
services/lib/contracts/src/package-archive.ts, by which runners read the archive.

The archive has sorted names, no times, no owners and regular files only; scripts and byte code of the wheels are left out. Compiles
the sources and adds their byte code if this Python is the runner's and the limits allow it. Prints {"unpacked_bytes": n}; when a
limit is exceeded, exits with 3 and prints {"refused": "..."}, the end of a sentence that begins "The packages in requirements.txt".
"""

import gzip
import json
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile

EXCLUDED = {"bin", "__pycache__", ".lock"}
MIB = 1 << 20
COMPILE_SECONDS = 20
# Bots do not import them.
NOT_COMPILED = {"test", "tests"}


def files_of(folder):
    """Returns the paths of all files to pack, relative to the folder and sorted."""
    found = []
    for parent, folders, names in os.walk(folder):
        top = parent == folder
        folders[:] = [name for name in folders if name != "__pycache__" and not (top and name in EXCLUDED)]
        for name in names:
            path = os.path.join(parent, name)
            if not (top and name in EXCLUDED) and os.path.isfile(path) and not os.path.islink(path):
                found.append(os.path.relpath(path, folder))
    return sorted(found)


def refusal(folder, paths, limits):
    """Returns (bytes of the files, reason why they are not packed or None)."""
    size = sum(os.path.getsize(os.path.join(folder, path)) for path in paths)
    folders = {os.path.dirname(path) for path in paths}
    entries = len(paths) + len(folders)
    if entries > limits["entries"]:
        return size, f"hold {entries:,} files and folders; at most {limits['entries']:,} are allowed."
    for path in paths:
        if len(os.fsencode(path)) > limits["pathBytes"]:
            return size, f"hold a path of more than {limits['pathBytes']} bytes: {path[:80]}…"
        if path.count(os.sep) >= limits["levels"]:
            return size, f"hold a path of more than {limits['levels']} levels: {path[:80]}…"
    if size > limits["bytes"]:
        return size, f"take more than {limits['bytes'] // MIB} MiB unpacked."
    return size, None


def compile_sources(folder, paths):
    """Compiles the sources among `paths` and returns the paths of their byte code. Deletes the byte code of the wheels first."""
    for parent, folders, _ in os.walk(folder):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
            cache = os.path.join(parent, "__pycache__")
            os.unlink(cache) if os.path.islink(cache) else shutil.rmtree(cache)
    sources = [path for path in paths if path.endswith(".py") and not NOT_COMPILED.intersection(path.split(os.sep))]
    here = os.path.dirname(os.path.abspath(__file__))
    limits = [str(16 * MIB), str(COMPILE_SECONDS)]
    python = [sys.executable, "-I", "-S"]
    command = [*python, os.path.join(here, "bounded.py"), *limits, *python, os.path.join(here, "bytecode.py"), folder]
    try:
        subprocess.run(command, input="\0".join(sources).encode(), capture_output=True, timeout=COMPILE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        # The files that are compiled by now are used.
        pass
    found = [importlib.util.cache_from_source(path) for path in sources]
    return [path for path in found if os.path.isfile(os.path.join(folder, path))]


def entry_of(archive, folder, path):
    """Returns the archive's header of a file, without times and owners."""
    info = archive.gettarinfo(os.path.join(folder, path), path)
    # A hard link into uv's cache is packed as a regular file.
    info.type, info.linkname = tarfile.REGTYPE, ""
    info.size = os.path.getsize(os.path.join(folder, path))
    info.mtime = info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = 0o755 if info.mode & 0o100 else 0o644
    return info


def main():
    folder, target, limits, runner = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4]
    paths = files_of(folder)
    size, refused = refusal(folder, paths, limits)
    if refused is not None:
        print(json.dumps({"refused": refused}))
        sys.exit(3)
    if runner == f"{sys.version_info[0]}.{sys.version_info[1]}":
        byte_code = [path for path in compile_sources(folder, paths) if refusal(folder, [path], limits)[1] is None]
        with_byte_code = sorted([*paths, *byte_code])
        new_size, refused = refusal(folder, with_byte_code, limits)
        if refused is None:
            paths, size = with_byte_code, new_size
    print(json.dumps({"unpacked_bytes": size}))
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 4, raw, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in paths:
                with open(os.path.join(folder, path), "rb") as content:
                    archive.addfile(entry_of(archive, folder, path), content)


if __name__ == "__main__":
    main()
