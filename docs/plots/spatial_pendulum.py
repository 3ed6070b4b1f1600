"""Solves examples/spatial_pendulum.json and draws the contact of ball and disc: docs/plots/spatial_pendulum.svg.

    ./dev python docs/plots/spatial_pendulum.py
"""

import json
from pathlib import Path

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

import catena as exu

FREE, TOUCHING = "#9aa5b1", "#c8553d"
ROOT = Path(__file__).parents[2]
MODEL = ROOT / "examples" / "spatial_pendulum.json"


def solve(model):
    """Times and, by the name of the sensor, its values over time."""
    mbs, settings = exu.FromJson(model)
    settings.solutionSettings.writeSolutionToFile = False
    mbs.SolveDynamic(settings)
    names = [sensor["name"] for sensor in json.loads(model.read_text())["model"]["sensors"]]
    rows = {name: mbs.GetSensorStoredData(i) for i, name in enumerate(names)}
    return rows[names[0]][:, 0], {name: r[:, 1:] for name, r in rows.items()}


def masked(values, keep):
    return np.where(keep, values, np.nan)


def draw_over_time(axes, time, rows, touching):
    slip = np.linalg.norm(rows["slip"], axis=1)
    curves = [("height of the ball\nover the disc (mm)", 1e3 * rows["gap"][:, 0]),
              ("normal force (N)", rows["normal force"][:, 0]),
              ("slip (m/s)", slip), ("spin (rad/s)", rows["spin"][:, 0])]
    for ax, (label, values) in zip(axes, curves):
        ax.plot(time, values, color=FREE, lw=0.9)
        ax.plot(time, masked(values, touching), color=TOUCHING, lw=1.1)
        ax.set_ylabel(label)
        ax.grid(alpha=0.3)
        ax.label_outer()
    axes[-1].set_xlabel("t (s)")


def draw_path(ax, rows, touching):
    """The path that the ball draws on the disc, which turns below it."""
    centre = np.array(json.loads(MODEL.read_text())["model"]["objects"][1]["referencePosition"])
    x, y = (rows["ball"] - centre).T[:2]
    c, s = np.cos(rows["disc rotation"][:, 2]), np.sin(rows["disc rotation"][:, 2])
    u, v = 1e3 * (c * x + s * y), 1e3 * (c * y - s * x)
    ax.plot(u, v, color=FREE, lw=0.7, label="in flight")
    ax.plot(masked(u, touching), masked(v, touching), color=TOUCHING, lw=1.1, label="in contact")
    ax.set_aspect("equal")
    ax.set(title="path on the disc (mm, axes of the disc)")
    ax.grid(alpha=0.3)
    ax.legend(loc="upper right")


def main():
    time, rows = solve(MODEL)
    touching = rows["normal force"][:, 0] > 0
    plt.rcParams.update({"font.size": 9, "svg.hashsalt": "catena", "path.simplify_threshold": 0.3})
    figure = plt.figure(figsize=(10, 6.4), constrained_layout=True)
    grid = figure.add_gridspec(4, 2, width_ratios=[1.15, 1])
    axes = [figure.add_subplot(grid[0, 0])]
    axes += [figure.add_subplot(grid[row, 0], sharex=axes[0]) for row in (1, 2, 3)]
    draw_over_time(axes, time, rows, touching)
    draw_path(figure.add_subplot(grid[:, 1]), rows, touching)
    figure.savefig(ROOT / "docs" / "plots" / "spatial_pendulum.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
