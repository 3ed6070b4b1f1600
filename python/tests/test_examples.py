"""Examples that exist twice, as a program and as a model file, are the same model."""

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


if __name__ == '__main__':
    unittest.main()
