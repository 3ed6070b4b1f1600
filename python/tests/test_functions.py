"""Python user functions of items and of the solver."""

import gc
import os
import signal
import threading
import time
import unittest

import numpy as np

import catena as exu
from catena.utilities import (CoordinateVectorConstraint, MarkerNodeCoordinates, MassPoint, NodeGenericODE2, NodePoint,
                              NodePointGround, ObjectGenericODE2, Point, SensorNode, SensorUserFunction)
from test_model import oscillator


def spring_force(mbs, t, itemNumber, u, v, k, d, offset):
    return k * (u - offset) + d * v


class UserFunctions(unittest.TestCase):

    def test_function_expression_and_built_in_force_agree(self):
        results = []
        for function in (0, spring_force, 'k*(u - offset) + d*v'):
            mbs, node, _, _ = oscillator(springForceUserFunction=function)
            mbs.SolveDynamic()
            results.append(mbs.GetNodeOutput(node, 'Displacement')[0])
        np.testing.assert_allclose(results, results[0], rtol=1e-9)

    def test_arguments_are_those_of_the_language(self):
        seen = []

        def force(*arguments):
            seen.append(arguments)
            return [0, 0, 0]

        mbs = exu.MainSystem()
        ground, mass = mbs.CreateGround(), mbs.CreateMassPoint(physicsMass=1)
        spring = mbs.CreateCartesianSpringDamper(bodyNumbers=[ground, mass], stiffness=[1, 2, 3],
                                                 springForceUserFunction=force)
        mbs.CreateForce(bodyNumber=mass, loadVector=[1, 0, 0], loadVectorUserFunction=lambda mbs, t, f: np.array(f) * t)
        mbs.SolveDynamic()
        model, t, number, u, v, k, d, offset = seen[-1]
        self.assertIs(model, mbs)
        self.assertEqual((number, k, d, offset), (int(spring), [1, 2, 3], [0, 0, 0], [0, 0, 0]))
        self.assertEqual((len(u), len(v)), (3, 3))
        self.assertAlmostEqual(mbs.GetObjectOutputBody(mass, 'Velocity', [0, 0, 0])[0], 0.5, delta=1e-3)

    def test_the_function_can_be_read_back_and_replaced(self):
        mbs, _, spring, _ = oscillator(springForceUserFunction=spring_force)
        self.assertIs(mbs.GetObjectParameter(spring, 'springForceUserFunction'), spring_force)
        mbs.SetObjectParameter(spring, 'springForceUserFunction', 0)
        self.assertEqual(mbs.GetObjectParameter(spring, 'springForceUserFunction'), 0)

    def test_a_function_that_replaces_itself_counts_at_once(self):
        calls = []

        def second(mbs, t, itemNumber, u, v, k, d, offset):
            calls.append('second')
            return k * u + d * v

        def first(mbs, t, itemNumber, u, v, k, d, offset):
            calls.append('first')
            mbs.SetObjectParameter(itemNumber, 'springForceUserFunction', second)
            return k * u + d * v

        mbs, _, _, _ = oscillator(springForceUserFunction=first)
        del first
        mbs.Assemble()
        mbs.SolveDynamic()
        self.assertEqual(calls.count('first'), 1)
        self.assertGreater(calls.count('second'), 100)

    def test_a_sensor_computes_from_others(self):
        mbs = exu.MainSystem()
        node = mbs.AddNode(NodePoint(referenceCoordinates=[1, 0, 0], initialVelocities=[0, 1, 0]))
        mbs.AddObject(MassPoint(nodeNumber=node, mass=1))
        position = mbs.AddSensor(SensorNode(nodeNumber=node, outputVariableType=exu.OutputVariableType.Position))

        def angle(mbs, t, sensorNumbers, factors, configuration):
            self.assertEqual(configuration, exu.ConfigurationType.Current)
            x, y, _ = mbs.GetSensorValues(sensorNumbers[0], configuration)
            return [factors[0] * np.arctan2(y, x), t]

        sensor = mbs.AddSensor(SensorUserFunction(sensorNumbers=[position], factors=[180 / np.pi],
                                                  sensorUserFunction=angle, storeInternal=True))
        mbs.SolveDynamic()
        np.testing.assert_allclose(mbs.GetSensorValues(sensor), [45, 1], rtol=1e-12)
        np.testing.assert_allclose(mbs.GetSensorValues(sensor, exu.ConfigurationType.Initial), [0, 0], atol=1e-15)
        stored = mbs.GetSensorStoredData(sensor)
        np.testing.assert_allclose(stored[:, 1], np.degrees(np.arctan(stored[:, 0])), atol=1e-12)
        mbs.SetSensorParameter(sensor, 'sensorUserFunction', lambda *a: 1 / 0)
        with self.assertRaisesRegex(exu.UserFunctionError, 'sensor 1 .*sensorUserFunction.*ZeroDivisionError'):
            mbs.SolveDynamic()

    def two_masses(self, **functions):
        """Final coordinates of m a + d v + k q = f on two nodes, with parts from functions."""
        K, D = np.array([[40., -10], [-10, 30]]), np.array([[1., 0], [0, 2]])
        mbs = exu.MainSystem()
        nodes = [mbs.AddNode(NodeGenericODE2(referenceCoordinates=[0.], initialCoordinates=[x],
                                             initialCoordinates_t=[0.], numberOfODE2Coordinates=1)) for x in (0.1, 0.2)]
        parameters = {'massMatrix': np.diag([2., 3]), 'stiffnessMatrix': K, 'dampingMatrix': D, **functions}
        number = mbs.AddObject(ObjectGenericODE2(nodeNumbers=nodes, **parameters))
        mbs.SolveDynamic()
        return mbs.systemData.GetODE2Coordinates(), number, K, D

    def test_functions_of_equations_of_second_order(self):
        expected, number, K, D = self.two_masses()
        seen = []

        def force(mbs, t, itemNumber, q, q_t):
            seen.append((mbs, itemNumber, q, q_t))
            return -K @ q - D @ q_t

        def jacobian(mbs, t, itemNumber, q, q_t, fODE2, fODE2_t):
            return fODE2 * K + fODE2_t * D

        zero = np.zeros((2, 2))
        for function in (lambda *a: exu.MatrixContainer(np.diag([2., 3])), lambda *a: [[2, 0], [0, 3]]):
            result = self.two_masses(stiffnessMatrix=zero, dampingMatrix=zero, forceUserFunction=force,
                                     massMatrixUserFunction=function, jacobianUserFunction=jacobian)
            np.testing.assert_allclose(result[0], expected, rtol=1e-9)
        self.assertEqual((seen[-1][1], len(seen[-1][2]), len(seen[-1][3])), (number, 2, 2))

    def test_functions_of_a_constraint_between_vectors(self):
        def run(**constraint):
            mbs = exu.MainSystem()
            ground = mbs.AddMarker(MarkerNodeCoordinates(nodeNumber=mbs.AddNode(NodePointGround())))
            node = mbs.AddNode(Point(initialVelocities=[1, 2, 0]))
            mbs.AddObject(MassPoint(nodeNumber=node, mass=1))
            marker = mbs.AddMarker(MarkerNodeCoordinates(nodeNumber=node))
            mbs.AddObject(CoordinateVectorConstraint(markerNumbers=[ground, marker], offset=[0],
                                                     scalingMarker1=[[2, -1, 0]], **constraint))
            mbs.SolveDynamic()
            return mbs.systemData.GetODE2Coordinates()

        def residual(mbs, t, itemNumber, q, q_t, velocityLevel):
            x = q_t if velocityLevel else q
            self.assertIsInstance(velocityLevel, bool)
            return [2 * x[0] - x[1]]

        result = run(constraintUserFunction=residual,
                     jacobianUserFunction=lambda mbs, t, i, q, q_t, velocityLevel: np.array([[2, -1, 0]]))
        np.testing.assert_allclose(result, run(), atol=1e-12)
        np.testing.assert_allclose(result, [1, 2, 0], atol=1e-12)

    def test_an_error_tells_item_and_time(self):
        def failing(mbs, t, itemNumber, u, v, k, d, offset):
            if t > 0.505:
                return 1 / 0
            return k * u

        mbs, _, _, _ = oscillator(name='spring', springForceUserFunction=failing)
        with self.assertRaises(exu.UserFunctionError) as caught:
            mbs.SolveDynamic()
        text = str(caught.exception)
        self.assertIn("object 1 'spring' (ConnectorCoordinateSpringDamper): springForceUserFunction, t = 0.51", text)
        self.assertIn('ZeroDivisionError: division by zero', text)
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        mbs.SetObjectParameter(1, 'springForceUserFunction', 0)
        mbs.SolveDynamic()  # the system is still good

    def test_a_wrong_result_is_an_error(self):
        mbs, _, _, _ = oscillator(springForceUserFunction=lambda *a: [1, 2])
        with self.assertRaisesRegex(exu.UserFunctionError, 'expected 1 number'):
            mbs.SolveDynamic()

    def test_keyboard_interrupt_stops_a_run(self):
        mbs, _, _, _ = oscillator()
        settings = exu.SimulationSettings()
        settings.timeIntegration.endTime = 1e6
        settings.timeIntegration.numberOfSteps = 10 ** 9
        settings.solutionSettings.sensorsWritePeriod = 1e6
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.time()
        with self.assertRaises(KeyboardInterrupt):
            mbs.SolveDynamic(settings)
        self.assertLess(time.time() - begin, 5)


class StepFunctions(unittest.TestCase):

    def test_order_times_and_stop(self):
        calls = []
        mbs, _, _, _ = oscillator()
        mbs.SetPreStepUserFunction(lambda m, t: calls.append(('pre', t)) or True)
        mbs.SetPostStepUserFunction(lambda m, t: calls.append(('post', t)) or t < 0.0299)
        mbs.SolveDynamic()
        np.testing.assert_allclose([t for _, t in calls], [0, 0.01, 0.01, 0.02, 0.02, 0.03, 0.03], atol=1e-12)
        self.assertEqual([name for name, _ in calls], ['post'] + ['pre', 'post'] * 3)
        self.assertAlmostEqual(mbs.systemData.GetTime(), 0.03, delta=1e-12)

    def test_a_pre_step_function_changes_loads_and_parameters(self):
        mbs, node, spring, load = oscillator()
        expected, _, _, _ = oscillator()

        def pre(mbs, t):
            mbs.SetLoadParameter(load, 'load', 2.)
            mbs.SetObjectParameter(spring, 'stiffness', 6000)
            return True

        mbs.SetPreStepUserFunction(pre)
        settings = exu.SimulationSettings()
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = False
        mbs.SolveDynamic(settings)
        expected.SetLoadParameter(load, 'load', 2.)
        expected.SetObjectParameter(spring, 'stiffness', 6000)
        expected.SolveDynamic(settings)
        self.assertAlmostEqual(mbs.GetNodeOutput(node, 'Displacement')[0],
                               expected.GetNodeOutput(node, 'Displacement')[0], delta=1e-12)

    def test_an_error_in_a_step_function(self):
        mbs, _, _, _ = oscillator()
        mbs.SetPreStepUserFunction(lambda m, t: m.variables['missing'])
        with self.assertRaisesRegex(exu.UserFunctionError, 'preStepUserFunction.*KeyError'):
            mbs.SolveDynamic()


class Endurance(unittest.TestCase):

    def test_a_thousand_models_leave_no_memory_behind(self):
        def memory():
            with open('/proc/self/statm') as file:
                return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')

        def once():
            SC = exu.SystemContainer()
            mbs, _, _, _ = oscillator(springForceUserFunction=lambda m, t, i, u, v, k, d, o: k * u + d * v)
            SC.Append(mbs)
            mbs.variables['self'] = mbs
            settings = exu.SimulationSettings()
            settings.timeIntegration.numberOfSteps = 10
            mbs.SolveDynamic(settings)

        for k in range(1000):
            once()
            if k == 9:
                gc.collect()
                start = memory()
        gc.collect()
        self.assertLess(memory() - start, 2 ** 20)

    def test_two_threads_give_the_same_bits_as_one(self):
        def solve(results, k):
            mbs, _, _, _ = oscillator(stiffness=3000 + 1000 * k, springForceUserFunction=spring_force)
            mbs.SolveDynamic()
            results[k] = mbs.systemData.GetODE2Coordinates()

        serial, parallel = {}, {}
        for k in range(2):
            solve(serial, k)
        threads = [threading.Thread(target=solve, args=(parallel, k)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k in range(2):
            np.testing.assert_array_equal(serial[k], parallel[k])


if __name__ == '__main__':
    unittest.main()
