"""Decodes the files of an upload as the programs do that read them: Python for player.py, pip for requirements.txt."""

import codecs
import re

# By their letters and digits. The site shows sources in these (gateway/src/routes/source-text.ts); a test compares both.
ENCODINGS = frozenset(
    """
    utf8 utf8sig ascii usascii latin1 l1 iso88591 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 iso885910
    iso885911 iso885913 iso885914 iso885915 iso885916 latin2 latin9 cp1250 cp1251 cp1252 cp1253 cp1254 cp1256 cp1257 cp1258
    windows1250 windows1251 windows1252 windows1253 windows1254 windows1256 windows1257 windows1258 cp437 cp775 cp850 cp852 cp855 cp857
    cp858 cp860 cp861 cp862 cp863 cp865 cp866 cp869 koi8r koi8u gb2312 gbk cp936 gb18030 big5 big5hkscs shiftjis sjis cp932 eucjp
    euckr cp949
    """.split()
)
# The longest first: the mark of UTF-32 begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "UTF-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "UTF-32", "utf-32"),
    (codecs.BOM_UTF32_BE, "UTF-32", "utf-32"),
    (codecs.BOM_UTF16_LE, "UTF-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "UTF-16", "utf-16"),
)
CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


class BadText(Exception):
    """The file cannot be decoded. `line`: the line of the problem, or None."""

    def __init__(self, problem, line=None):
        super().__init__(problem)
        self.problem = problem
        self.line = line


def decode_python(name, data):
    """Returns the text of a Python file. Raises BadText where Python could not decode it, or the site could not show it."""
    for mark, encoding, _ in MARKS[1:]:
        if data.startswith(mark):
            raise BadText(f"{name} is encoded in {encoding}, which Python cannot read. Save it as UTF-8.", 1)
    refuse_null_bytes(name, data)
    line, written = declared(data)
    encoding = normal(written) if line else "utf-8"
    where = f"Line {line} of {name} declares the encoding {written[:40]}, which"
    if data.startswith(codecs.BOM_UTF8):
        if encoding != "utf-8":
            raise BadText(f"{where} Python refuses behind the byte order mark of UTF-8. Remove one of the two.", line)
        encoding = "utf-8-sig"
    if letters(encoding) not in ENCODINGS:
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise BadText(f"{where} Python does not know. Save it as UTF-8.", line) from None
        raise BadText(f"{where} is not accepted. Save it as UTF-8.", line)
    return decode(name, data, encoding)


def decode_requirements(name, data):
    """Returns the text of a requirements file, which a byte order mark or a coding line may describe. Raises BadText."""
    for mark, _, encoding in MARKS:
        if data.startswith(mark):
            return decode(name, data, encoding)
    return decode_python(name, data)


def decode(name, data, encoding):
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("latin-1")
        line = lines_in(before) + 1
        column = error.start - max(before.rfind("\n"), before.rfind("\r"))
        shown = "UTF-8" if encoding.startswith("utf-8") else encoding
        more = " Save it as UTF-8, or declare its encoding in the first line: # coding: latin-1" if shown == "UTF-8" else ""
        found = f"the byte 0x{data[error.start]:02x} at position {column} (offset {error.start} of the file)"
        raise BadText(f"Line {line} of {name} is not text in {shown}: {found}.{more}", line) from None
    if "\0" in text:
        raise BadText(f"{name} contains a null byte in line {lines_in(text[: text.index(chr(0))]) + 1}.")
    return text


def refuse_null_bytes(name, data):
    at = data.find(0)
    if at < 0:
        return
    if at < 4 and data.count(0) * 3 >= len(data):
        raise BadText(f"{name} seems to be encoded in UTF-16 without a byte order mark. Save it as UTF-8.", 1)
    line = lines_in(data[:at].decode("latin-1")) + 1
    raise BadText(f"{name} contains a null byte in line {line}.", line)


def lines_in(text):
    """Counts the ends of lines as Python does: LF, CR and CRLF."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def declared(data):
    """Returns the line of a declaration of the encoding (PEP 263) and the name in it; (None, "") without one."""
    start = data[:2000].removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, line in enumerate(start.split(b"\n")[:2], 1):
        found = CODING.match(line)
        if found:
            return number, found[1].decode("ascii", "replace")
        if line.strip(b" \t\f") and not line.lstrip(b" \t\f").startswith(b"#"):
            break
    return None, ""


def normal(written):
    """Returns the encoding that Python's tokenizer takes a name for: Emacs writes utf-8-unix."""
    name = written.lower().replace("_", "-")
    if re.match("utf-8(-|$)", name):
        return "utf-8"
    return "latin-1" if re.match("(latin-1|iso-8859-1|iso-latin-1)(-|$)", name) else written


def letters(encoding):
    return re.sub("[^0-9a-z]", "", encoding.lower())
