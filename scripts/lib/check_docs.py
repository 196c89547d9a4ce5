"""check_docs.py ROOT: links between our documents lead somewhere, every setting that the server reads is documented in
.env.example and none that it does not read, no source file is longer than the house allows, and the README in Chinese has
the headings, commands and links of the English one, and the connections that pages show are those of config/openwebui.
check_comments looks at the public headers, check_reference at what pages say of settings, commands and codes."""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

import bench_chart
import check_comments
import check_reference

root = pathlib.Path(sys.argv[1])
LONGEST_FILE = 400
problems: list[str] = []
passed = 0


def check(good: bool, problem: str) -> None:
    global passed
    if good:
        passed += 1
    else:
        problems.append(problem)


def documents() -> list[pathlib.Path]:
    found = list(root.glob("*.md"))
    for folder in ("docs", "sdk", "plugins", "tests", "config"):
        found += (root / folder).rglob("*.md")
    return found


for page in documents():
    prose = re.sub(r"^    .*$", "", page.read_text(encoding="utf-8"), flags=re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:|#", target):
            continue
        check((page.parent / target.split("#")[0]).exists(), f"{page.relative_to(root)} links to {target}, which is not there")

for folder in ("core", "sdk", "plugins"):
    for source in (root / folder).rglob("*"):
        if source.suffix not in (".cpp", ".hpp", ".h", ".c"):
            continue
        lines = source.read_text(encoding="utf-8").split("\n")
        check(len(lines) <= LONGEST_FILE + 1, f"{source.relative_to(root)} has {len(lines)} lines, more than {LONGEST_FILE}")

# What a language costs: one folder with one source file, and an image that a Dockerfile makes.
LONGEST_PLUGIN = 120
languages = sorted(path.parent.name for path in (root / "plugins").glob("*/plugin.cpp"))
guide = (root / "docs" / "plugins.md").read_text(encoding="utf-8")
listed = re.findall(r"^\| \[(\w+)\]\(\.\./plugins/(\w+)\) \| \[sandbox\.(\w+)\]\(\.\./dockerfiles/sandbox\.(\w+)\.Dockerfile\) \|",
                    guide, re.M)
check(len(languages) >= 12, f"plugins/ holds {len(languages)} languages, fewer than twelve")
counted = []
for language in languages:
    sources = sorted(path.name for path in (root / "plugins" / language).iterdir() if path.suffix in (".c", ".cpp"))
    text = (root / "plugins" / language / "plugin.cpp").read_text(encoding="utf-8")
    count = text.count("\n")
    check(sources == ["plugin.cpp"], f"plugins/{language} has {len(sources)} source files, not one: {' '.join(sources)}")
    check(count <= LONGEST_PLUGIN, f"plugins/{language}/plugin.cpp has {count} lines, more than {LONGEST_PLUGIN}")
    image = re.search(r'\.image = "codebox/sandbox-(\w+):latest"', text)
    check(image is not None and (root / "dockerfiles" / f"sandbox.{image.group(1)}.Dockerfile").exists(),
          f"plugins/{language}: no Dockerfile makes its image")
    check(image is not None and (language, language, image.group(1), image.group(1)) in listed,
          f"docs/plugins.md has no row with the folder and the Dockerfile of {language}")
    counted.append(f"{language} {count}")
for row in listed:
    check(row[1] in languages, f"docs/plugins.md names the language {row[1]}, which is not there")
print("lines of a language's source:", ", ".join(counted))

example = root / ".env.example"
table = root / "core" / "app" / "setting_table.cpp"
documented = set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", example.read_text(encoding="utf-8"), re.M))
text = table.read_text(encoding="utf-8")
known = set(re.findall(r'\{"([A-Z][A-Z0-9_]*[A-Z0-9])",', text))
prefixes = set(re.findall(r'\{"([A-Z][A-Z0-9_]*_)",', text))
check(bool(known), "core/app/setting_table.cpp names no setting")
for name in sorted(known | prefixes):
    check(any(entry == name or (name.endswith("_") and entry.startswith(name)) for entry in documented),
          f"the server reads {name}, which .env.example does not document")
for name in sorted(documented):
    check(name in known or any(name.startswith(prefix) for prefix in prefixes),
          f".env.example documents {name}, which the server does not read")



def shape(page: str) -> dict[str, list[str]]:
    """What two languages of one page have in common."""
    text = (root / page).read_text(encoding="utf-8")
    prose = re.sub(r"^    .*$", "", text, flags=re.M)
    return {
        "headings": re.findall(r"^#+(?= )", prose, re.M),
        "commands and listings": re.findall(r"^    .*$", text, re.M),
        "table rows": [str(row.count("|")) for row in re.findall(r"^\|.*$", text, re.M)],
        "links": sorted(link for link in re.findall(r"\]\(([^)\s]+)\)", prose) if not link.startswith("README")),
        "list items": re.findall(r"^- ", prose, re.M),
    }


english, chinese = shape("README.md"), shape("README.zh-CN.md")
for part, entries in english.items():
    lacking = [entry for entry in entries if entry not in chinese[part]]
    check(entries == chinese[part], f"README.zh-CN.md has other {part} than README.md ({len(chinese[part])}, not "
          f"{len(entries)}{': it lacks ' + lacking[0].strip() if lacking else ''})")

# A connection of Open WebUI is shown in pages and lies in a file, which is what the tests connect with.
for page, name in (("README.md", "mcp"), ("README.zh-CN.md", "mcp"), ("docs/openapi.md", "openapi")):
    shown = re.search(r"^    \[\{$.*?^    \}\]$", (root / page).read_text(encoding="utf-8"), re.M | re.S)
    file = f"config/openwebui/{name}.json"
    kept = json.loads((root / file).read_text(encoding="utf-8"))
    check(shown is not None and json.loads(shown.group(0)) == kept, f"{page} shows another connection than {file}")
    by_hand = json.dumps(kept[0]["headers"], separators=(",", ":"))
    check(name != "mcp" or by_hand in (root / page).read_text(encoding="utf-8"), f"{page} lacks the headers {by_hand}")

check_comments.run(root, check)
check_reference.run(root, check)

composed = re.search(r'\[\{"type": "mcp".*?\}\]$', (root / "config/compose.yaml").read_text(encoding="utf-8"), re.M | re.S)
check(composed is not None and json.loads(composed.group(0)) == json.loads((root / "config/openwebui/mcp.json").read_text()),
      "config/compose.yaml connects Open WebUI by another connection than config/openwebui/mcp.json")

# The chart of scripts/bench, whose numbers nobody writes by hand.
chart = (root / "docs/images/bench.svg").read_text(encoding="utf-8")
shown = re.findall(r">([0-9.e+]+) ms(?: \(cut\))?<", chart)
rows = {f"contestant {n}": {"median": float(value)} for n, value in enumerate(("1.5", "12.25", "700"))}
drawn = bench_chart.draw({"works": {"print(1)": rows}, "machine": {"cpus": 2, "kernel": "6.1-x"}, "when": "2026-01-01T00"})
for name, text in (("docs/images/bench.svg", chart), ("a chart of three", drawn)):
    check(xml.etree.ElementTree.fromstring(text).tag.endswith("svg"), f"{name} is no SVG")
check(len(shown) >= 10 and all(float(value) > 0 for value in shown), "docs/images/bench.svg shows too few numbers: draw it with "
      "scripts/bench --chart")
check("12.25 ms<" in drawn and "700 ms" in drawn, "bench_chart.draw shows other numbers than it was given")

for problem in problems:
    print("FAILED:", problem)
print(f"{passed} passed, {len(problems)} failed, 0 skipped")
sys.exit(1 if problems else 0)
