"""What is written down of settings, commands, findings and codes is what the code has: ranges beside the table of settings,
options beside the parser, topics of doctor, statuses and error codes, names of settings and scripts in pages."""
import pathlib
import re
from collections.abc import Callable

Check = Callable[[bool, str], None]


def paragraphs(example: str) -> dict[str, str]:
    """The comment above each setting of .env.example; settings in a row share theirs."""
    found, comment, listed = {}, "", False
    for line in example.split("\n"):
        setting = re.match(r"#?([A-Z][A-Z0-9_]+)=", line)
        if setting:
            found[setting[1]], listed = comment, True
        elif line.startswith("# "):
            comment, listed = (line[2:] if listed else f"{comment} {line[2:]}"), False
        else:
            comment, listed = "", False
    return found


def words_of_form(form: str) -> list[str]:
    """What a comment must hold of how a value is written: its range, or its words."""
    words = re.findall(r"(?:at least|from) (\S+)|(?: to )(\S+)", form)
    if form.startswith("one of "):
        return form.removeprefix("one of ").split(", ")
    if form == "true or false":
        return ["true", "false"]
    return [either[0] or either[1] for either in words]


def settings(root: pathlib.Path, check: Check) -> None:
    text = (root / "core/app/setting_table.cpp").read_text(encoding="utf-8")
    text = re.sub(r"\bnetwork_form\b", re.search(r'network_form = ("[^"]*")', text)[1], text)
    table = re.findall(r'\{"([A-Z][A-Z0-9_]+)",\s*"([^"]*)"', text)
    check(len(table) > 50, "core/app/setting_table.cpp has too few settings")
    comments = paragraphs((root / ".env.example").read_text(encoding="utf-8"))
    for name, form in table:
        comment = comments.get(name) or next((said for key, said in comments.items() if name.endswith("_") and
                                              key.startswith(name)), "")
        check(comment != "", f".env.example says nothing of {name}")
        for word in words_of_form(form):
            check(re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.]*\w)", comment) is not None,
                  f".env.example does not say {word} of {name}, which must be {form}")
    known = {name for name, _ in table}
    for page in pages(root):
        prose = page.read_text(encoding="utf-8")
        for name in set(re.findall(r"(?<![\w{$])(?:SANDBOX|OWUI|CONTAINER|JWT|PLUGIN|RATE_LIMIT|EGRESS)_[A-Z_]*[A-Z]\b(?!_)", prose)):
            check(name in known or any(one.endswith("_") and name.startswith(one) for one in known),
                  f"{page.relative_to(root)} names {name}, which is no setting")


def pages(root: pathlib.Path) -> list[pathlib.Path]:
    return [*root.glob("*.md"), *(root / "docs").glob("*.md"), *(root / "sdk").rglob("*.md")]


def commands(root: pathlib.Path, check: Check) -> None:
    source = (root / "core/app/main/main.cpp").read_text(encoding="utf-8")
    known = set(re.findall(r'add_subcommand\(\s*"([a-z-]+)"', source))
    options = set(re.findall(r'(?:add_option|add_flag)\(\s*"([A-Za-z-]+)"', source))
    page = (root / "docs/commands.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `codebox ([a-z][a-z -]*)", page, re.M))
    shown = {word for row in rows for word in row.split()}
    check(len(known) >= 9 and len(options) >= 10, "core/app/main/main.cpp has too few commands or options")
    check(known == shown, f"docs/commands.md and the parser differ in commands: {' '.join(sorted(known ^ shown))}")
    listed = set(re.findall(r"^\| `(--[a-z-]+|[A-Z]+)", page, re.M))
    check(options == listed, f"docs/commands.md and the parser differ in options: {' '.join(sorted(options ^ listed))}")
    for other in pages(root):
        text = other.read_text(encoding="utf-8")
        for word in set(re.findall(r"(?:`|^    (?:\S*/)?)codebox ([a-z][a-z-]*)", text, re.M)):
            check(word in known, f"{other.relative_to(root)} shows the command codebox {word}, which is not there")
        for word in set(re.findall(r"(?<![\w/.-])scripts/([a-z][a-z-]*)(?![\w/-])", text)):
            check((root / "scripts" / word).exists(), f"{other.relative_to(root)} names scripts/{word}, which is not there")


def doctor(root: pathlib.Path, check: Check) -> None:
    page = (root / "docs/troubleshooting.md").read_text(encoding="utf-8")
    topics: set[str] = set()
    for source in (root / "core/app").glob("doctor*.cpp"):
        text = source.read_text(encoding="utf-8")
        topics.update(re.findall(r'(?:topic = |(?:ok|warn|problem)\()"([a-z-]+)"', text))
    table = page[page.index("| topic |"):page.index("## Settings")]
    named = set(re.findall(r"[a-z][a-z-]+", " ".join(row.split("|")[1] for row in table.split("\n") if row.startswith("|"))))
    check(len(topics) > 20, "core/app has too few topics of doctor")
    check(topics == named - {"topic"}, f"docs/troubleshooting.md and doctor differ in topics: "
          f"{' '.join(sorted(topics ^ (named - {'topic'})))}")


def codes(root: pathlib.Path, check: Check) -> None:
    statuses = re.findall(r"^\s+\{+(\d{3}), ", (root / "core/openapi/statuses.hpp").read_text(encoding="utf-8"), re.M)
    openapi = (root / "docs/openapi.md").read_text(encoding="utf-8")
    check(len(statuses) >= 9, "core/openapi/statuses.hpp has too few statuses")
    for status in statuses:
        check(status in openapi, f"docs/openapi.md does not say what status {status} means")
    numbers = set(re.findall(r"= (-32\d{3});", (root / "core/mcp/protocol.hpp").read_text(encoding="utf-8")))
    numbers |= set(re.findall(r"\b(1[45]\d\d)[,)]", (root / "core/app/routes.cpp").read_text(encoding="utf-8")))
    results = (root / "docs/results.md").read_text(encoding="utf-8")
    check(len(numbers) >= 12, "core/mcp/protocol.hpp and routes.cpp have too few codes")
    for number in sorted(numbers):
        check(number in results, f"docs/results.md does not say when the code {number} comes")


def anchors(root: pathlib.Path, check: Check) -> None:
    """Links into a page lead to a heading of it, as GitHub names them."""
    for page in pages(root):
        for target, anchor in re.findall(r"\]\(([^)\s:#]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
            other = page.parent / target if target else page
            headings = re.findall(r"^#+ (.*)$", other.read_text(encoding="utf-8"), re.M) if other.exists() else []
            names = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
            check(anchor in names, f"{page.relative_to(root)} links to {target}#{anchor}, which is no heading")


def suites(root: pathlib.Path, check: Check) -> None:
    there = set(re.findall(r"^suite_(\w+)\(\)", (root / "scripts/lib/suites.sh").read_text(encoding="utf-8"), re.M))
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.search(r"Suites of `scripts/test`: `([^`]*)`", text)[1].split())
    check(there == named, f"CONTRIBUTING.md and scripts/lib/suites.sh differ in suites: {' '.join(sorted(there ^ named))}")


def rooms(root: pathlib.Path, check: Check) -> None:
    page = (root / "docs/architecture.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|]*) \|$", page, re.M))
    there = {folder.name for folder in (root / "core").iterdir() if folder.is_dir()}
    check(set(rows) == there, f"docs/architecture.md and core/ differ in rooms: {' '.join(sorted(set(rows) ^ there))}")
    for room in sorted(there - {"app", "agent"}):
        words = re.search(r"codebox_room\(\w+([^)]*)\)", (root / "core" / room / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        included = set(re.sub(r"LIBS.*", "", words, flags=re.S).split()) - {"PUBLIC", "PRIVATE", "base"}
        listed = set(re.findall(r"`(\w+)`", rows.get(room, "")))
        check(included == listed, f"docs/architecture.md has other includes of {room}: {' '.join(sorted(included ^ listed))}")


def run(root: pathlib.Path, check: Check) -> None:
    for part in (settings, commands, doctor, codes, anchors, suites, rooms):
        part(root, check)
