"""Draws the chain of examples/chain.json at t = 0, 0.5 and 1 s: docs/plots/chain.svg.

    ./dev run examples/chain.json --output output/chain
    /usr/bin/python3 docs/plots/chain.py output/chain/solution.h5 docs/plots/chain.svg

Needs Debian's python3-h5py and python3-numpy.
"""

import json
import sys
from pathlib import Path

import h5py
import numpy as np

TIMES = [0, 0.5, 1]
COLOURS = ["#9aa5b1", "#3f7cac", "#c8553d"]
WIDTH, HEIGHT, MARGIN = 820, 420, 26


def reference_positions():
    model = json.loads((Path(__file__).parents[2] / "examples" / "chain.json").read_text())
    return np.array([node["referenceCoordinates"] for node in model["model"]["nodes"]])


def rotation(phi):
    angle = np.linalg.norm(phi)
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = phi / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def joints(coordinates):
    """The left ends of all bars and the right end of the last."""
    ends = [row[:3] + rotation(row[3:]) @ np.array([-0.2, 0, 0]) for row in coordinates]
    last = coordinates[-1]
    return np.array(ends + [last[:3] + rotation(last[3:]) @ np.array([0.2, 0, 0])])


def project(points):
    """Oblique view; the z axis, along which gravity acts, points to the right of the page."""
    turn = np.radians(28)
    across = points[:, 0] * np.cos(turn) - points[:, 1] * np.sin(turn)
    depth = points[:, 0] * np.sin(turn) + points[:, 1] * np.cos(turn)
    return np.column_stack([points[:, 2], 0.85 * across + 0.25 * depth])


def main(solution, output):
    reference = reference_positions()
    with h5py.File(solution, "r") as file:
        time = file["time"][:]
        rows = [int(np.argmin(np.abs(time - t))) for t in TIMES]
        shapes = [project(joints(reference + file["q"][row].reshape(-1, 6))) for row in rows]

    everything = np.vstack(shapes)
    low, high = everything.min(axis=0), everything.max(axis=0)
    scale = min((WIDTH - 2 * MARGIN) / (high - low)[0], (HEIGHT - 2 * MARGIN - 40) / (high - low)[1])
    size = (high - low) * scale + 2 * MARGIN + [0, 40]

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{size[0]:.0f}" height="{size[1]:.0f}" fill="white"/>',
    ]
    for i, (t, row, colour, shape) in enumerate(zip(TIMES, rows, COLOURS, shapes)):
        points = (shape - low) * scale + MARGIN + [0, 40]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        lines.append(f'<text x="{MARGIN + 110 * i}" y="24" fill="{colour}">t = {time[row]:g} s</text>')
    right = size[0] - MARGIN
    lines.append(f'<text x="{right - 44:.0f}" y="24" fill="#444" text-anchor="end">gravity</text>')
    lines.append(
        f'<path d="M{right - 38:.0f},20 H{right:.0f} m-8,-4 l8,4 l-8,4" fill="none" stroke="#444"/>'
    )
    lines.append("</svg>")
    Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
