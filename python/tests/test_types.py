"""Type checkers know what the registry declares."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GOOD = '''
import catena as exu
from catena.utilities import *

mbs = exu.SystemContainer().AddSystem()
node = mbs.AddNode(Point(referenceCoordinates=[1, 0, 0]))
mass = mbs.AddObject(MassPoint(mass=2, nodeNumber=node))
mbs.AddObject({'objectType': 'MassPoint', 'physicsMass': 2, 'nodeNumber': node})
bar = mbs.CreateRigidBody(inertia=InertiaCuboid(1000, [1, 0.1, 0.1]), gravity=np.array([0, 0, -9.81]))
mbs.CreateSpringDamper(bodyNumbers=[mass, bar], stiffness=100, springForceUserFunction='k*u')
sensor = mbs.AddSensor(SensorNode(nodeNumber=node, outputVariableType=exu.OutputVariableType.Position))
settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 2
settings.linearSolverType = exu.LinearSolverType.EigenSparse
mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha)
rows = mbs.GetSensorStoredData(sensor).shape[0] + len(mbs.systemData.GetODE2Coordinates())
stiffness = mbs.GetObjectParameter(0, 'stiffness')
'''

BAD = '''
import catena as exu
from catena.utilities import *

mbs = exu.SystemContainer().AddSystem()
mbs.AddNodes(Point())  # error
mbs.AddNode(Point(referenceCoordinate=[1, 0, 0]))  # error
mbs.AddObject(MassPoint(mass='heavy'))  # error
mbs.CreateRigidBody(inertiaa=InertiaCuboid(1000, [1, 0.1, 0.1]))  # error
mbs.CreateForce(bodyNumber=0, loadVector=3)  # error
settings = exu.SimulationSettings()
settings.timeIntegration.endtime = 2  # error
settings.timeIntegration.numberOfSteps = 'many'  # error
mbs.SolveDynamic(2)  # error
mbs.GetNodeOutput(0, exu.OutputVariableType.Positions)  # error
mbs.systemData.GetODE2Coordinate()  # error
'''


@unittest.skipUnless(shutil.which('mypy'), 'mypy is not installed')
class Types(unittest.TestCase):

    def errors(self, program):
        """Numbers of the lines that mypy objects to."""
        package = os.path.dirname(os.path.dirname(importlib.util.find_spec('catena').origin))
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, 'program.py')
            with open(path, 'w') as file:
                file.write(program)
            result = subprocess.run(
                ['mypy', '--python-executable', sys.executable, '--cache-dir', os.path.join(package, 'mypy-tests'),
                 '--follow-imports=silent', path], env={**os.environ, 'MYPYPATH': package}, capture_output=True, text=True)
        for line in result.stdout.splitlines():
            if ': error:' in line and not line.startswith(path):
                self.fail(line)
        return {int(n) for n in re.findall(r'program\.py:(\d+): error', result.stdout)}

    def test_correct_programs_pass_and_mistakes_are_found(self):
        expected = {number for number, line in enumerate(BAD.splitlines(), 1) if line.endswith('# error')}
        self.assertEqual(self.errors(GOOD), set())
        self.assertEqual(self.errors(BAD), expected)


if __name__ == '__main__':
    unittest.main()
