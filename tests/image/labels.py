"""Draws labels in three scripts, and prints how many of seven signs got a picture of their own."""
import json
import logging
import os

logging.basicConfig(level=logging.INFO)
import matplotlib.pyplot as plt
import numpy as np

SIGNS = "世界にハ안녕하"
pictures = set()
for sign in SIGNS:
    figure = plt.figure(figsize=(1, 1))
    figure.text(0.2, 0.2, sign, fontsize=30)
    # What savefig does with a figure that is kept; then the same figure as pixels.
    figure.savefig("/tmp/sign.png")
    pictures.add(np.asarray(plt.imread("/tmp/sign.png")).tobytes())
    plt.close(figure)
plt.figure()
plt.plot([1, 2, 3])
plt.title("売上 销售 매출")
plt.show()
print(json.dumps({"pictures": len(pictures), "signs": len(SIGNS), "lists": os.listdir(os.environ["MPLCONFIGDIR"])}))
