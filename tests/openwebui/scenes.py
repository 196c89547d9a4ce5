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
axes = months.plot.bar(stacked=True, figsize=(8, 3.4), color=["#4c72b0", "#dd8452"], rot=0)
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


INTERACTIVE = """import pandas as pd
import plotly.express as px

sales = pd.read_csv("sales.csv")
figure = px.line(sales, x="month", y="revenue", color="region", markers=True,
                 title="Revenue by region", template="plotly_white")
figure.update_layout(hovermode="x unified")
figure.update_xaxes(type="category")
figure.update_traces(hovertemplate="%{y:,} EUR")
figure.show()
"""

SCENES = [
    {"file": "chat.png", "height": 970, "text": "How did revenue develop? Please draw it by month.",
     "code": PLOT, "libraries": ["humanize"],
     "answer": "Revenue grew every month, to 52,570 EUR in June; both regions took part. The figures behind "
               "the picture are in {files}."},
    {"file": "embed.png", "height": 1030, "text": "Which region grew faster? I want to look at single months myself.", "code": INTERACTIVE,
     "libraries": ["plotly"], "hover": True,
     "answer": "South grew faster: by 83 % since January, North by 61 %. Point at a month to read both values."},
]


def script(file_id):
    """What the scripted model reads of them."""
    return [{"text": scene["text"], "tool": "run_python", "answer": scene["answer"],
             "arguments": {"code": scene["code"], "libraries": scene["libraries"],
                           "input_files": [{"id": file_id, "path": "sales.csv"}]}} for scene in SCENES]
