"""Draws docs/plots/performance.svg: error over time against Simbody, and cost over size.

    ./dev bench simbody 400 4000 > work.txt
    ./dev catena bench chain:100 chain:1000 chain:10000 chain:100000 net:100 net:1000 net:10000 \\
        four-bars:81 four-bars:601 four-bars:2001 four-bars:20001 --steps 30 --json size.json
    ./dev python docs/plots/performance.py work.txt size.json
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt

COLOURS = {"Simbody": "#9aa5b1", "Catena, h": "#c8553d", "Catena, extrapolated": "#e0a458",
           "Catena, DOPRI5": "#2b6777"}
NAMES = {"Simbody": "Simbody", "Catena, h": "Catena, generalized-alpha",
         "Catena, extrapolated": "Catena, extrapolated", "Catena, DOPRI5": "Catena, DOPRI5"}
MODELS = {"chain": "#c8553d", "net": "#2b6777", "four-bars": "#e0a458"}
ROW = re.compile(r"(Simbody|Catena, h|Catena, extrapolated|Catena, DOPRI5).*?\s(\d+)\s+([\d.]+)\s+([\d.e+-]+)$")


def work(path):
    """(seconds, error) by (method, bodies)."""
    rows = defaultdict(list)
    for line in path.read_text().splitlines():
        if match := ROW.match(line):
            method, bodies, seconds, error = match.groups()
            rows[method, int(bodies)].append((float(seconds), float(error)))
    return rows


def sizes(path):
    """(bodies, us per body and step) by kind of model."""
    rows = defaultdict(list)
    for run in json.loads(path.read_text())["runs"]:
        seconds = sorted(run["seconds"]["total"])
        median = seconds[len(seconds) // 2]
        rows[run["model"].split(":")[0]].append(
            (run["bodies"], 1e6 * median / run["bodies"] / run["steps"]))
    return rows


def main(work_file, size_file):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained")
    for (method, bodies), points in work(work_file).items():
        small = bodies < 1000
        left.loglog(*zip(*sorted(points)), color=COLOURS[method], marker="o" if small else "s",
                    linestyle="-" if small else "--", markersize=4,
                    label=f"{NAMES[method]}, {bodies} bodies")
    left.set(xlabel="time for one simulated second (s)", ylabel="error of the last body (m)")
    left.set_ylim(top=1e4)
    left.legend(fontsize=6.5, ncols=2, loc="upper center")
    for kind, points in sizes(size_file).items():
        right.loglog(*zip(*sorted(points)), marker="o", markersize=4, color=MODELS[kind], label=kind)
    right.set(xlabel="bodies", ylabel="µs per body and step")
    right.legend(fontsize=8)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(Path(__file__).with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
