"""Renders HTML with CJK text to a PDF, and prints what a reader of that PDF finds."""
import json
import os

import pymupdf
from weasyprint import HTML

TEXT = ["Chinese 世界你好", "Japanese こんにちは", "Korean 안녕하세요", "Latin é ß Ł"]
os.makedirs("output", exist_ok=True)
HTML(string="<h1>Report</h1>" + "".join(f"<p>{line}</p>" for line in TEXT)).write_pdf("output/report.pdf")
page = pymupdf.open("output/report.pdf")[0]
found = page.get_text()
print(json.dumps({
    "missing": [line for line in TEXT if line not in found],
    "fonts": sorted(font[3] for font in page.get_fonts()),
    # A box that stands for a missing glyph looks the same for every character.
    "pictures": len({page.get_pixmap(clip=page.search_for(sign)[0], dpi=96).tobytes() for sign in "世界你好안녕하"}),
}))
