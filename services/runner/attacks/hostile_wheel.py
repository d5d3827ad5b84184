"""Writes wheels that no packaging tool would write: with any path, any mode and any number of entries."""
import os
import sys
import zipfile


def write(name, entries, version="1.0", extra_metadata=""):
    """Writes a wheel to the folder that the command line names. `entries`: (path, content, Unix mode) of its files."""
    info = f"{name}-{version}.dist-info"
    target = os.path.join(sys.argv[1], f"{name}-{version}-py3-none-any.whl")
    record = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:

        def put(path, content, mode=0o644):
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (mode | (0o100000 if mode < 0o10000 else 0)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            record.append(f"{path},,")

        for path, content, mode in entries:
            put(path, content, mode)
        put(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{extra_metadata}")
        put(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: attacks\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        put(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n")
