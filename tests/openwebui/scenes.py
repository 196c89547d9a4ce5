"""What the pictures of the documentation show: a person's question, the program that a model writes, its answer."""

SALES = b"""month,region,revenue
2026-01,North,18250
2026-01,South,12600
2026-02,North,21040
2026-02,South,13980
2026-03,North,19870
2026-03,South,16420
2026-04,North,24310
2026-04,South,17750
2026-05,North,26890
2026-05,South,21230
2026-06,North,29460
2026-06,South,23110
"""

PLOT = """import humanize
import matplotlib.pyplot as plt
import pandas as pd

sales = pd.read_csv("sales.csv")
months = sales.pivot(index="month", columns="region", values="revenue")
axes = months.plot.bar(stacked=True, figsize=(8, 4), color=["#4c72b0", "#dd8452"], rot=0)
axes.set_title("Revenue by month")
axes.set_ylabel("EUR")
plt.tight_layout()
plt.savefig("output/revenue.png", dpi=110)

months["total"] = months.sum(axis=1)
months["growth"] = months["total"].pct_change().mul(100).round(1)
months.to_csv("output/revenue.csv")
print("total", humanize.intcomma(int(months["total"].sum())))
print(months)
"""


def revenue(file_id):
    return {"text": "How did revenue develop", "tool": "run_python",
            "arguments": {"code": PLOT, "libraries": ["humanize"],
                          "input_files": [{"id": file_id, "path": "sales.csv"}]},
            "answer": "Revenue grew every month, to 52,570 EUR in June; both regions took part.\n\n"
                      "The figures behind the picture: {files}"}
