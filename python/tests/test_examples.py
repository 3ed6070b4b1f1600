"""Examples give what they must: those that exist twice, as a program and as a model file, are the same model."""

import io
import runpy
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import catena as exu

EXAMPLES = Path(__file__).parents[2] / 'examples'


class Examples(unittest.TestCase):

    def test_spatial_pendulum(self):
        with redirect_stdout(io.StringIO()):
            program = runpy.run_path(str(EXAMPLES / 'spatial_pendulum.py'))
        path = program['mbs'].GetSensorStoredData(program['position'])
        mbs, settings = exu.FromJson(EXAMPLES / 'spatial_pendulum.json')
        settings.solutionSettings.writeSolutionToFile = False
        mbs.SolveDynamic(settings)
        other = mbs.GetSensorStoredData(0)
        self.assertEqual(path.shape, other.shape)
        # impacts amplify differences of rounding
        self.assertLess(abs(path - other)[path[:, 0] < 1].max(), 1e-9)
        self.assertGreater(program['normal'].max(), 10)

    def test_sphere_bed(self):
        with redirect_stdout(io.StringIO()):
            bed = runpy.run_path(str(EXAMPLES / 'sphere_bed.py'))
        weight, stiffness = bed['weight'], bed['stiffness']
        self.assertLess(abs(bed['load'][2] + weight), 0.01 * weight)
        self.assertLess(max(abs(bed['load'][:2])), 0.01 * weight)  # opposite walls carry the same
        # between samples of the power, impacts pass
        self.assertLess(abs(bed['lost'] - bed['dissipated']), 0.05 * bed['lost'])
        # at rest no contact carries more than the whole bed
        self.assertLess(bed['overlap'][-1], (weight / stiffness)**(2 / 3))
        for body in bed['bodies']:
            x, y, z = bed['mbs'].GetObjectOutputBody(body, exu.OutputVariableType.Position)
            self.assertGreater(min(x, y, z), 0.9 * bed['radius'])
            self.assertLess(max(x, y), bed['side'] - 0.9 * bed['radius'])


if __name__ == '__main__':
    unittest.main()
