"""What the public headers say: every field of the plugin contract has a comment, every class of a room says what it is, and
whoever uses a room reads which threads may."""
import pathlib
import re
from collections.abc import Callable

# What the head of plugin.h tells once for all structs.
TOLD_ONCE = {"size", "reserved", "flags"}
THREADS = re.compile(r"\bthreads?\b|\b[Pp]ure\b|\bvalue\b|\bImmutable\b|\bConstants\b|\bmain\b|forked child|\bstack\b", re.I)
TYPE = re.compile(r"(class|struct|enum class|enum) (?:\[\[nodiscard\]\] )?([\w:]+)(?![\w<])(?: final)?[^;(]*\{")


def contract_fields(text: str) -> list[tuple[str, str, bool]]:
    """Struct, field and whether a comment stands at its end or right above it."""
    found = []
    for name, body in re.findall(r"typedef struct (\w+) \{\n(.*?)\n\} \w+;", text, re.S):
        above = False
        for line in re.sub(r"/\*.*?\*/", "/**/", body, flags=re.S).split("\n"):
            field = re.search(r"(?:\(\*(\w+)\).*|(\w+)(?: CBX_DEFAULT\(.*\))?);", line)
            if field:
                found.append((name, field[1] or field[2], above or "/**/" in line))
            above = not field and "/**/" in line
    return found


def comment_above(lines: list[str], at: int) -> str:
    words = []
    while at > 0 and re.match(r"\s*(///|template\b)", lines[at - 1]):
        at -= 1
        words.insert(0, lines[at])
    return " ".join(line for line in words if line.lstrip().startswith("///"))


def check_header(name: str, text: str, check: Callable[[bool, str], None]) -> None:
    lines = text.split("\n")
    of_room = " ".join(comment_above(lines, at) for at, line in enumerate(lines) if line.startswith("namespace "))
    types = [(at, match) for at, line in enumerate(lines) if (match := TYPE.match(line))]
    told = [of_room] + [comment_above(lines, at) for at, line in enumerate(lines) if re.match(r"[a-zA-Z\[]", line)]
    check(any("///" in words for words in told), f"{name} does not say what it is for")
    check(any(THREADS.search(words) for words in told), f"{name} does not say which threads may use it")
    for at, match in types:
        words = comment_above(lines, at)
        check(words != "", f"{name}: {match[1]} {match[2]} has no comment")
        if match[1] == "class":
            check(THREADS.search(words + of_room) is not None, f"{name}: class {match[2]} does not say which threads may use it")


def run(root: pathlib.Path, check: Callable[[bool, str], None]) -> None:
    fields = contract_fields((root / "sdk/include/codebox/plugin.h").read_text(encoding="utf-8"))
    check(len(fields) >= 60, f"plugin.h has {len(fields)} fields, fewer than it has")
    for struct, field, commented in fields:
        check(commented or field in TOLD_ONCE, f"plugin.h: {struct}.{field} has no comment")
    headers = sorted((root / "core").rglob("*.hpp"))
    check(len(headers) > 100, "core/ has too few headers")
    for header in headers:
        check_header(str(header.relative_to(root)), header.read_text(encoding="utf-8"), check)
