"""Cables of many elements against closed forms and results of Exudyn's test suite (its numbers, version 1.11), and the
functions of the author for their strains."""

import unittest

import numpy as np

import catena as exu
from catena.beams import GenerateStraightLineANCFCable
from catena.utilities import *  # noqa: F401,F403

Output = exu.OutputVariableType


def system():
    return exu.SystemContainer().AddSystem()


class Cables(unittest.TestCase):

    def test_cantilever_under_its_weight(self):
        for template, ends, fixed in ((ObjectANCFCable2D, ([0, 0], [2, 0]), [1, 1, 0, 1]),
                                      (ObjectANCFCable, ([0, 0, 0], [2, 0, 0]), [1, 1, 1, 0, 1, 1])):
            mbs = system()
            cable = GenerateStraightLineANCFCable(
                mbs, *ends, 32, template(physicsMassPerLength=78, physicsBendingStiffness=2500 / 3, physicsAxialStiffness=1e6),
                [0, -9.81, 0], fixed)
            self.assertEqual([len(part) for part in cable], [33, 32, 32, 33, sum(fixed)])
            mbs.Assemble()
            settings = exu.SimulationSettings()
            settings.staticSolver.newton.relativeTolerance = 1e-10
            mbs.SolveStatic(settings)
            self.assertAlmostEqual(mbs.GetNodeOutput(cable[0][-1], Output.Displacement)[0], -0.5013058140308901, delta=1e-9)

    def test_free_vibration(self):
        """Frequencies of a free beam: cos(b) cosh(b) = 1."""
        L, EI, rhoA = 2., 2.07e11 * 0.01**4 / 12, 7800 * 0.01**2
        mbs = system()
        cable = ObjectANCFCable2D(physicsMassPerLength=rhoA, physicsBendingStiffness=EI, physicsAxialStiffness=2.07e6,
                                  useReducedOrderIntegration=1)
        GenerateStraightLineANCFCable2D(mbs, [0, 0], [L, 0], 32, cable)
        mbs.Assemble()
        values, _ = mbs.ComputeODE2Eigenvalues(numberOfEigenvalues=6)
        for value, b in zip(values[3:], (4.730040744862704, 7.853204624095838, 10.99560783800167)):
            self.assertAlmostEqual(np.sqrt(value) / ((b / L)**2 * np.sqrt(EI / rhoA)), 1, delta=1e-5)

    def test_ends_at_given_nodes_and_errors(self):
        mbs = system()
        node = mbs.AddNode(NodePoint2DSlope1(referenceCoordinates=[1, 1, 0, 1]))
        nodes = GenerateStraightLineANCFCable(mbs, [1, 1], [1, 3], 2, ObjectANCFCable2D(), nodeNumber0=node)[0]
        self.assertEqual(nodes[0], node)
        self.assertEqual(mbs.GetNode(nodes[2])['referenceCoordinates'].tolist(), [1, 3, 0, 1])
        with self.assertRaisesRegex(ValueError, 'the same point'):
            GenerateStraightLineANCFCable(mbs, [1, 1], [1, 1], 2, ObjectANCFCable2D())
        with self.assertRaisesRegex(ValueError, 'plane z = 0'):
            GenerateStraightLineANCFCable(mbs, [0, 0, 0], [1, 0, 1], 2, ObjectANCFCable2D())

    def swing(self, axial, bending):
        mbs = system()
        EA, EI = 1e5, 2000
        cable = GenerateStraightLineANCFCable(mbs, [0, 0, 0], [2, 0, 0], 16, ObjectANCFCable2D(
            physicsMassPerLength=78, physicsBendingStiffness=EI, physicsBendingDamping=0.1 * EI, physicsAxialStiffness=EA,
            physicsAxialDamping=0.05 * EA, axialForceUserFunction=axial, bendingMomentUserFunction=bending),
            [0, -9.81, 0], [1, 1, 0, 1])
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = 0.5, 100
        settings.timeIntegration.newton.useModifiedNewton = True
        mbs.SolveDynamic(settings)
        curvature = mbs.GetObjectOutputBody(cable[1][0], Output.CurvatureLocal, [0.05, 0, 0])
        moment = mbs.GetObjectOutputBody(cable[1][0], Output.TorqueLocal, [0.05, 0, 0])
        return mbs.GetNodeOutput(cable[0][-1], Output.Position), curvature, moment

    def test_functions_of_the_author(self):
        """Stiffness that falls with time and with the curvature, as Python functions and as formulas."""
        def bending(mbs, t, number, x, K, K_t, K_0, EI, d, eps, eps_t, eps_0):
            return EI * 0.1 * np.arctan(10 * (K - K_0)) + d * K_t

        def axial(mbs, t, number, x, eps, eps_t, eps_0, EA, d, K, K_t, K_0):
            return max(0.02, 2 - t**0.5) * EA * (eps - eps_0) + d * eps_t

        tip, _, _ = self.swing(axial, bending)
        self.assertAlmostEqual(sum(tip), 0.6015588367721232, delta=1e-7)
        formula, _, moment = self.swing('max(0.02, 2 - t^0.5) * k * (u - offset) + d * v',
                                        'k * 0.1 * atan(10 * (u - offset)) + d * v')
        np.testing.assert_allclose(formula, tip, atol=1e-9)
        _, curvature, moment = self.swing(0, 'k * u + 0 * x')
        self.assertAlmostEqual(moment, 2000 * curvature, delta=1e-9 * abs(moment))


class Recorder(unittest.TestCase):

    def test_sensor_recorder(self):
        mbs = system()
        mass = mbs.CreateMassPoint(mass=1, initialVelocity=[2, 0, 0])
        sensor = mbs.AddSensor(SensorBody(bodyNumber=mass, outputVariableType=Output.Position, writeToFile=False))
        AddSensorRecorder(mbs, sensor, endTime=1, sensorsWritePeriod=0.1)
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.solutionSettings.sensorsWritePeriod = 0.1
        mbs.SolveDynamic(settings)
        t = np.linspace(0, 1, 11)
        np.testing.assert_allclose(mbs.variables['sensorRecord0'], np.column_stack([t, 2 * t, 0 * t, 0 * t]), atol=1e-12)


if __name__ == '__main__':
    unittest.main()
