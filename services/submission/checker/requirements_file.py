"""Reads a requirements.txt: which packages it asks for on the runners' Python and platform.

pip's own code splits and joins the lines and reads their options (pip-requirements-parser), PyPA's packaging reads names, versions,
extras and markers.
"""

import json
import re
import sys

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from pip_requirements_parser import CommentLine, get_line_parser, preprocess

from source_text import BadText

NAME = "requirements.txt"
MAX_PACKAGES = 50
PYPI = re.compile(r"https?://(www\.)?(pypi\.org|pypi\.python\.org|files\.pythonhosted\.org)(/|$)")
LINK = re.compile(r"://|^(git|hg|svn|bzr)\+")
PATH = re.compile(r"^[./~\\]|[/\\]|\.(whl|zip|tar\.gz|tgz)$")
# Options by their name in pip, with the reason of the refusal.
INDEX = "names a package index; packages come from the platform's index only. Remove the option"
FILE = "names another file, which is not part of an upload. Write its lines here instead"
REFUSED = {
    "requirements": FILE,
    "constraints": FILE,
    "editables": "installs a project or a repository, which is not accepted. Remove the line, or write the package as name==version",
    "index_url": INDEX,
    "extra_index_urls": INDEX,
    "find_links": INDEX,
    "no_index": INDEX,
    "no_binary": "asks for source packages; only wheels are installed. Remove the option",
    "no_use_wheel": "asks for source packages; only wheels are installed. Remove the option",
}


def read_requirements(text, python, platform, stored=False):
    """Returns the lines that uv gets: sorted, normalised, without markers; lines whose marker is false are left out.

    Raises BadText with the first line that is not accepted. `stored`: a bot that was accepted earlier may name modules of the
    standard library.
    """
    environment = environment_of(python, platform)
    parse = get_line_parser()
    packages, options, count, unhashed = set(), set(), 0, None
    for entry in preprocess(plain(text)):
        if isinstance(entry, CommentLine):
            continue
        line = Line(entry.line_number, entry.line)
        try:
            requirement, found, rest = parse(entry.line)
        except Exception as error:  # noqa: BLE001  (optparse and shlex raise several)
            raise line.problem(f"cannot be read: {reason_of(error)}") from None
        if requirement == "":
            options |= global_options(found, rest, line)
            continue
        global_options(found, rest, line)
        package = line.package(requirement, environment)
        if package is None:
            continue
        count += 1
        if count > MAX_PACKAGES:
            raise BadText(f"{NAME} names more than {MAX_PACKAGES} packages.", entry.line_number)
        if not stored:
            refuse_standard_module(package.name, entry.line_number)
        packages.add(line.normal(package, found.hashes))
        unhashed = unhashed or (None if found.hashes else line)
    if "--require-hashes" in options and unhashed:
        raise unhashed.problem("has no hash, but the file asks for hashes with --require-hashes")
    return sorted(packages | options) if packages else []


class Line:
    """A line of the file, joined with those that continue it."""

    def __init__(self, number, text):
        self.number = number
        self.text = text

    def problem(self, why):
        shown = self.text if len(self.text) <= 80 else f"{self.text[:80]}…"
        return BadText(f"Line {self.number} of {NAME} {why}: {json.dumps(shown, ensure_ascii=False)}.", self.number)

    def package(self, text, environment):
        """Returns the requirement, None if its marker is false. Raises BadText."""
        try:
            package = Requirement(text)
            applies = package.marker is None or package.marker.evaluate(environment)
        except RecursionError:
            raise self.problem("is nested too deeply") from None
        except InvalidRequirement as error:
            raise self.problem(self.why_not(text, error)) from None
        except ValueError as error:
            raise self.problem(f"cannot be evaluated ({reason_of(error)})") from None
        if not applies:
            return None
        if package.url is not None and package.url.startswith("file:"):
            raise self.problem(
                f"is a link to a folder of the computer on which it was written. Write {package.name}==version"
                " (pip list --format=freeze prints such lines)"
            )
        if package.url is not None or PATH.search(text.split(";")[0].strip()):
            raise self.problem(self.why_not(text, None))
        return package

    def why_not(self, text, error):
        head = text.split(";")[0].strip()
        if LINK.search(head) or " @ " in head:
            return "is a link, which is not fetched; packages come from the platform's index only"
        if PATH.search(head):
            return "is a path, which is not part of an upload; packages come from the platform's index only"
        pinned = re.match(r"([\w.-]+) ?= ?([\w.]+)(=\w+)?$", head) or re.match(r"([\w.-]+) +(\d[\w.]*)$", head)
        if pinned:
            return f"is not a package name with version specifiers. Write {pinned[1]}=={pinned[2]}"
        if ";" in text and re.fullmatch(r"[\w.-]+(\[[\w., -]*\])? ?([=<>!~][^;]*)?", head):
            return f"has a marker that cannot be read ({reason_of(error)})"
        return "is not a package name with version specifiers"

    def normal(self, package, hashes):
        # Not the text of SpecifierSet: this is part of the identity of stored bots.
        specifiers = ",".join(sorted(f"{one.operator}{one.version}" for one in package.specifier))
        extras = ",".join(sorted(canonicalize_name(extra) for extra in package.extras))
        line = canonicalize_name(package.name) + (f"[{extras}]" if extras else "") + specifiers
        if not hashes:
            return line
        operators = [one.operator for one in package.specifier]
        if operators not in (["=="], ["==="]) or specifiers.endswith("*"):
            raise self.problem("has a hash, but not one exact version: pin it with ==")
        known = sorted({value.lower() for value in hashes if re.fullmatch("sha256:[0-9a-fA-F]{64}", value)})
        if not known:
            raise self.problem("has no hash of the kind sha256: with 64 hexadecimal digits, which is the kind that is checked")
        return " ".join([line, *(f"--hash={value}" for value in known)])


def global_options(found, rest, line):
    """Returns the options of a line that change which packages are chosen. Raises BadText for those that are refused."""
    for name, why in REFUSED.items():
        values = getattr(found, name) or []
        values = values if isinstance(values, list) else [values]
        accepted = [value for value in values if value == ":none:" or (name.endswith(("_url", "_urls")) and PYPI.match(str(value)))]
        if len(accepted) < len(values):
            raise line.problem(why)
    if rest:
        raise line.problem("cannot be read: an option takes no further words")
    return {option for option, is_set in (("--pre", found.pre), ("--require-hashes", found.require_hashes)) if is_set}


def refuse_standard_module(name, number):
    modules = {module.lower() for module in sys.stdlib_module_names}
    if name.lower().replace("-", "_").split(".")[0] in modules:
        problem = f"names {name}, which is part of Python's standard library: it is there without being named. Remove the line."
        raise BadText(f"Line {number} of {NAME} {problem}", number)


def plain(text):
    """Returns the text with LF between lines and single spaces, which keeps pip's expressions from taking quadratic time."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(re.sub(r"\s+", " ", line).rstrip() for line in lines)


def reason_of(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0].removeprefix("pip_requirements_parser: error: ")[:200]


def environment_of(python, platform):
    """Returns the variables of markers on the runners. Without its third number, a version counts as x.y.0, as in uv."""
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": platform.split("-")[0],
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
        "extra": "",
    }
