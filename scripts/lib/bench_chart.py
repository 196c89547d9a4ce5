"""docs/images/bench.svg: the medians of scripts/bench as bars."""
import html

COLOURS = {"codebox": "#2f6fde", "python3": "#6b7280"}
WIDTH, LEFT, BAR, GAP = 760, 190, 15, 5


def colour(name):
    return next((value for start, value in COLOURS.items() if name.startswith(start)), "#b8bec9")


def bars(rows, title, top):
    """One block of bars, and where the next may begin. Longer ones than forty times the bare Python are cut."""
    ordered = sorted(rows.items(), key=lambda row: row[1]["median"])
    bare = rows.get("python3", ordered[0][1])["median"]
    longest = min(ordered[-1][1]["median"], bare * 40)
    out = [f'<text x="8" y="{top + 14}" class="title">{html.escape(title)}</text>']
    y = top + 26
    for name, row in ordered:
        share = min(row["median"], longest) / longest
        length = max(2, round((WIDTH - LEFT - 110) * share))
        out.append(f'<text x="{LEFT - 8}" y="{y + 12}" class="name">{html.escape(name)}</text>')
        out.append(f'<rect x="{LEFT}" y="{y}" width="{length}" height="{BAR}" rx="3" fill="{colour(name)}"/>')
        more = " (cut)" if row["median"] > longest else ""
        out.append(f'<text x="{LEFT + length + 6}" y="{y + 12}">{row["median"]:.4g} ms{more}</text>')
        y += BAR + GAP
    return out, y + 12


def footnote(done):
    machine = done["machine"]
    return f"{machine['cpus']} CPUs, Linux {machine['kernel'].split('-')[0]}, {done['when'][:10]}, by scripts/bench"


def draw(done):
    titles = {"print(1)": "print(1): the whole call, median", "pandas": "pandas and a figure of matplotlib, median"}
    out, top = [], 8
    for work, title in titles.items():
        if done["works"].get(work):
            lines, top = bars(done["works"][work], title, top)
            out += lines
    out.append(f'<text x="8" y="{top + 4}">{html.escape(footnote(done))}</text>')
    top += 18
    style = ("text{font:12px system-ui,sans-serif;fill:#6b7280}.title{font-weight:600;font-size:13px}"
             ".name{text-anchor:end}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" viewBox="0 0 {WIDTH} {top}" '
            f'role="img" aria-label="Medians of scripts/bench"><style>{style}</style>\n' + "\n".join(out) + "\n</svg>\n")
