"""Says which version of Python a syntax error is valid syntax of, where the line shows it."""

import re

FSTRING = "quotes of the same kind, a backslash or a comment inside the braces of an f-string"
# (version, what it is, pattern of the line, pattern of the message)
NEWER = (
    ("3.13", "a default of a type parameter", r"\s*(async\s+def|def|class|type)\s+\w+\s*\[[^\]]*=", ""),
    ("3.12", "type parameters", r"\s*(async\s+def|def|class|type)\s+\w+\s*\[", ""),
    ("3.12", "the statement type", r"\s*type\s+\w+\s*=", ""),
    ("3.12", FSTRING, "", r"f-string expression part cannot include (a backslash|'#')"),
    ("3.14", "except without parentheses around several types (or it is Python 2)", r"\s*except\b", "multiple exception types"),
    ("3.15", "a lazy import", r"\s*lazy\s+(import|from)\b", ""),
    ("3.15", "unpacking in a comprehension", "", "unpacking cannot be used in"),
)
# The parser takes the inner quote for the end; the braces are closed behind it.
INNER_QUOTE = re.compile(r"""\b(?:f|fr|rf)(["'])[^{]*\{[^}]*\1[^}]*\}""", re.IGNORECASE)
T_PREFIX = re.compile(r"(^|\W)(t|tr|rt)$", re.IGNORECASE)


def version_note(text, error, python):
    """Returns the sentence that follows a syntax error: the runners' version, and the version of the syntax if it is newer."""
    note = f"The runners run Python {python}"
    lines = re.split(r"\r\n|\r|\n", text)
    line = lines[error.lineno - 1] if error.lineno and error.lineno <= len(lines) else ""
    found = version_of(line, error)
    if found is None or number_of(found[0]) <= number_of(python):
        return f"{note}."
    return f"{note}; this is syntax of Python {found[0]}: {found[1]}."


def version_of(line, error):
    # Later versions of Python name the version themselves.
    named = re.search(r"(.*) (?:is|are) only supported in Python (3\.\d+)", error.msg)
    if named:
        return named[2], named[1].lower()
    for version, what, pattern, message in NEWER:
        if re.match(pattern, line) and re.search(message, error.msg):
            return version, what
    at = (error.offset or 1) - 1
    before, rest = line[:at], line[at:]
    if rest[:1] in ("'", '"') and T_PREFIX.search(before):
        return "3.14", "a t-string"
    if error.msg.startswith("f-string: ") and INNER_QUOTE.search(line):
        return "3.12", FSTRING
    return None


def number_of(version):
    return tuple(map(int, version.split(".")))
