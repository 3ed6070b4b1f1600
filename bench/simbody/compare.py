"""Work and precision of the chain: one simulated second in Catena and in Simbody.

  compare.py BIN BODIES...    BIN: folder of the built programs catena and catena_simbody

For each number of bodies: seconds and the error of the last body's position, by step size and by
accuracy. The reference is Catena's result extrapolated from the two smallest steps.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ACCURACIES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9]
STEPS = [125, 250, 500, 1000, 2000]
EXTRAPOLATED_STEPS = [10, 20, 25, 40, 80, 160]
TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6]


def simbody(programs, bodies, accuracy):
    text = subprocess.run([programs / "catena_simbody", str(bodies), str(accuracy)],
                          check=True, capture_output=True, text=True).stdout
    result = json.loads(text)
    return result["position"], result["seconds"]


def catena(programs, folder, model, solver, settings):
    model["solve"] = solver
    path = folder / "chain.json"
    path.write_text(json.dumps(model))
    run = [programs / "catena", "run", path, "-o", folder / "out", "--quiet"]
    for name, value in settings.items():
        run += ["--set", f"timeIntegration.{name}={value}"]
    if subprocess.run(run, capture_output=True).returncode:
        return None, None
    summary = json.loads((folder / "out" / "summary.json").read_text())
    last = (folder / "out" / "tip.csv").read_text().splitlines()[-1]
    return [float(x) for x in last.split(",")[1:]], summary["seconds"]["total"]


def main(programs, sizes):
    print(f"{'program':30} {'bodies':>7} {'seconds':>9} {'error [m]':>10}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for bodies in sizes:
            generated = folder / "generated.json"
            subprocess.run([programs / "catena", "generate", "chain", "-n", str(bodies), "-o",
                            generated], check=True)
            model = json.loads(generated.read_text())
            model["model"]["sensors"] = [{"type": "Body", "name": "tip", "bodyNumber": 2 * bodies - 1,
                                          "outputVariableType": "Position"}]
            def implicit(steps, extrapolation="false"):
                return catena(programs, folder, model, "dynamic",
                              {"numberOfSteps": steps,
                               "generalizedAlpha.extrapolation": extrapolation})

            coarse, _ = implicit(STEPS[-1])
            fine, _ = implicit(2 * STEPS[-1])
            reference = [f + (f - c) / 3 for c, f in zip(coarse, fine)]

            def row(label, position, seconds):
                if position is None:
                    return print(f"{label:30} {bodies:7}    does not converge")
                error = max(abs(a - b) for a, b in zip(position, reference))
                print(f"{label:30} {bodies:7} {seconds:9.3f} {error:10.1e}", flush=True)

            for accuracy in ACCURACIES:
                row(f"Simbody, accuracy {accuracy:g}", *simbody(programs, bodies, accuracy))
            for steps in STEPS:
                row(f"Catena, h = {1000 / steps:g} ms", *implicit(steps))
            for steps in EXTRAPOLATED_STEPS:
                row(f"Catena, extrapolated, {1000 / steps:g} ms", *implicit(steps, "true"))
            for tolerance in TOLERANCES:
                row(f"Catena, DOPRI5, {tolerance:g}",
                    *catena(programs, folder, model, "explicit:DOPRI5",
                            {"numberOfSteps": 10, "relativeTolerance": tolerance,
                             "absoluteTolerance": tolerance}))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve(), [int(n) for n in sys.argv[2:]])
