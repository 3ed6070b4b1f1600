"""Static and explicit solvers, eigenvalues, linearised systems and degrees of freedom, against closed forms."""

import unittest

import catena as exu
from catena.utilities import *

G = 9.81
EXPLICIT = {'ExplicitEuler': 1, 'ExplicitMidpoint': 2, 'RK33': 3, 'RK44': 4, 'RK67': 6, 'VelocityVerlet': 2}


def settings(steps=100, end_time=1.):
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = end_time
    s.staticSolver.verboseMode = 0
    return s


def oscillator(mass=2., stiffness=50., damping=0., start=(1., 0., 0.), **spring):
    """A point on a spring along x: (mbs, node, spring)."""
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    node = mbs.AddNode(NodePoint(initialCoordinates=start))
    mbs.AddObject(MassPoint(mass=mass, nodeNumber=node))
    x = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    connector = mbs.AddObject(CoordinateSpringDamper(markerNumbers=[ground, x], stiffness=stiffness, damping=damping,
                                                     **spring))
    return mbs, node, connector


def masses_between_walls(count, mass=2., stiffness=50., damping=0.):
    """Masses in a row, springs between them and to both walls; its nodes."""
    mbs = exu.SystemContainer().AddSystem()
    wall = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    nodes = [mbs.AddNode(Node1D()) for _ in range(count)]
    ends = [wall, *(mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=0)) for n in nodes), wall]
    for node in nodes:
        mbs.AddObject(Mass1D(mass=mass, nodeNumber=node))
    for pair in zip(ends, ends[1:]):
        mbs.AddObject(CoordinateSpringDamper(markerNumbers=pair, stiffness=stiffness, damping=damping))
    mbs.Assemble()
    return mbs, nodes


def hanging_rod(nodeType, length=2.):
    """A thin rod that hangs on a hinge: (mbs, its smallest squared frequency)."""
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.CreateGround()
    rod = mbs.CreateRigidBody(inertia=InertiaRodX(3., length), referencePosition=[0, -length / 2, 0],
                              referenceRotationMatrix=RotationMatrixZ(-pi / 2), gravity=[0, -G, 0], nodeType=nodeType)
    mbs.CreateRevoluteJoint(bodyNumbers=[ground, rod], position=[0, 0, 0], axis=[0, 0, 1])
    mbs.Assemble()
    return mbs, 1.5 * G / length


class Static(unittest.TestCase):
    def test_springs_in_a_row(self):
        mbs, nodes = masses_between_walls(3, stiffness=50.)
        load = mbs.AddLoad(LoadCoordinate(load=10., markerNumber=mbs.AddMarker(
            MarkerNodeCoordinate(nodeNumber=nodes[1], coordinate=0))))
        sensor = mbs.AddSensor(SensorNode(nodeNumber=nodes[1], outputVariableType=exu.OutputVariableType.Coordinates))
        s = settings()
        s.staticSolver.numberOfLoadSteps = 4
        self.assertTrue(exu.SolveStatic(mbs, s))
        np.testing.assert_allclose(mbs.systemData.GetODE2Coordinates(), [0.1, 0.2, 0.1], atol=1e-12)
        np.testing.assert_allclose(mbs.GetSensorStoredData(sensor), [[0, 0], [0.25, 0.05], [0.5, 0.1], [0.75, 0.15],
                                                                     [1, 0.2]], atol=1e-12)
        self.assertEqual(mbs.sys['staticSolver'].report['steps'], 4)
        self.assertEqual(mbs.sys['staticSolver'].GetSolverName(), 'static')
        mbs.SetLoadParameter(load, 'load', 20.)
        mbs.SolveStatic(s, updateInitialValues=True)
        np.testing.assert_allclose(mbs.systemData.GetODE2Coordinates(exu.ConfigurationType.Initial), [0.2, 0.4, 0.2],
                                   atol=1e-12)

    def test_python_force(self):
        mbs, node, _ = oscillator(start=(0, 0, 0), stiffness=100.,
                                  springForceUserFunction=lambda mbs, t, i, u, v, k, d, offset: k * u + 1000 * u**3)
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for axis in (1, 2):
            mbs.AddObject(CoordinateConstraint(markerNumbers=[
                ground, mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))]))
        mbs.AddLoad(LoadCoordinate(load=100 * 0.3 + 1000 * 0.3**3,
                                   markerNumber=mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))))
        s = settings()
        s.staticSolver.newton.relativeTolerance = 1e-13
        mbs.SolveStatic(s)
        self.assertAlmostEqual(mbs.GetNodeOutput(node, exu.OutputVariableType.Displacement)[0], 0.3, delta=1e-12)

    def test_without_equilibrium(self):
        mbs, node, _ = oscillator(start=(0, 0, 0), springForceUserFunction=lambda mbs, t, i, u, v, k, d, offset: sin(u))
        mbs.AddLoad(LoadCoordinate(load=2., markerNumber=mbs.AddMarker(
            MarkerNodeCoordinate(nodeNumber=node, coordinate=0))))
        with self.assertRaises(ValueError):
            mbs.SolveStatic(settings())


class Extrapolation(unittest.TestCase):
    def end_error(self, steps):
        mbs, node, _ = oscillator()
        s = settings(steps)
        s.timeIntegration.generalizedAlpha.extrapolation = True
        self.assertTrue(mbs.SolveDynamic(s))
        error = abs(mbs.GetNodeOutput(node, exu.OutputVariableType.Position)[0] - cos(5.))
        return error, mbs.sys['dynamicSolver'].report

    def test_order_and_estimate(self):
        (coarse, report), (fine, _) = self.end_error(50), self.end_error(100)
        self.assertGreater(np.log2(coarse / fine), 2.8)
        self.assertEqual(report['steps'], 50)
        self.assertGreater(report['extrapolation']['largest'], coarse)
        self.assertEqual(report['extrapolation']['coordinate'], 'node1.q0')

    def test_refusal(self):
        mbs, _, _ = oscillator()
        mbs.SetPreStepUserFunction(lambda mbs, t: True)
        s = settings()
        s.timeIntegration.generalizedAlpha.extrapolation = True
        with self.assertRaisesRegex(ValueError, 'extrapolation = true does not go with user functions'):
            mbs.SolveDynamic(s)


class Explicit(unittest.TestCase):
    def end_error(self, method, steps):
        mbs, node, _ = oscillator(mass=2., stiffness=50., damping=0.)
        mbs.SolveDynamic(settings(steps), solverType=exu.DynamicSolverType[method])
        return abs(mbs.GetNodeOutput(node, exu.OutputVariableType.Position)[0] - cos(5.))

    def test_orders(self):
        for method, order in EXPLICIT.items():
            steps = 4000 if order == 1 else 100 if order < 4 else 40
            coarse, fine = self.end_error(method, steps), self.end_error(method, 2 * steps)
            with self.subTest(method=method):
                self.assertAlmostEqual(np.log2(coarse / fine), order, delta=0.25)

    def test_error_control(self):
        for method in ('ODE23', 'DOPRI5'):
            errors, steps = [], []
            for tolerance in (1e-4, 1e-6, 1e-8):
                mbs, node, _ = oscillator()
                s = settings(10)
                s.timeIntegration.absoluteTolerance = s.timeIntegration.relativeTolerance = tolerance
                mbs.SolveDynamic(s, solverType=exu.DynamicSolverType[method])
                errors.append(abs(mbs.GetNodeOutput(node, exu.OutputVariableType.Position)[0] - cos(5.)))
                steps.append(mbs.sys['dynamicSolver'].report['steps'])
            with self.subTest(method=method):
                self.assertLess(errors[2], 1e-7)
                self.assertLess(errors[2], 1e-2 * errors[0])
                self.assertTrue(steps[0] < steps[1] < steps[2])

    def test_kind_of_solver(self):
        mbs, _, _ = oscillator()
        mbs.SolveDynamic(settings(), solverType=exu.DynamicSolverType.RK44)
        self.assertEqual(mbs.sys['dynamicSolver'].GetSolverName(), 'explicit:RK44')
        with self.assertRaises(exu.NotAvailableError):
            mbs.SolveDynamic(settings(), solverType=exu.DynamicSolverType.DVERK6)

    def test_heavy_top_on_the_rotation_group(self):
        """Angular velocity about y after 0.01 s; number of an independent Lie group integrator, converged."""
        mbs = exu.SystemContainer().AddSystem()
        J = np.diag([0.234375, 0.46875, 0.234375]) - 15 * Skew([0, 1, 0]) @ Skew([0, 1, 0])
        node = mbs.AddNode(NodeRigidBodyRotVecLG(initialVelocities=[0, 0, 0, 0, 150, -4.61538]))
        top = mbs.AddObject(RigidBody(mass=15, inertia=InertiaTensor2Inertia6D(J), nodeNumber=node))
        mbs.AddLoad(Force(markerNumber=mbs.AddMarker(MarkerBodyPosition(bodyNumber=top, localPosition=[0, 1, 0])),
                          loadVector=[0, 0, -15 * G]))
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for axis in range(3):
            mbs.AddObject(CoordinateConstraint(markerNumbers=[
                ground, mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))]))
        mbs.SolveDynamic(settings(400, 0.01), solverType=exu.DynamicSolverType.RK67)
        omega = mbs.GetNodeOutput(node, exu.OutputVariableType.AngularVelocity)
        self.assertAlmostEqual(omega[1], 149.8473939540758, delta=1e-10)


class Eigenvalues(unittest.TestCase):
    exact = 4 * 50. / 2. * np.sin(np.arange(1, 6) * pi / 12)**2  # of five masses between walls

    def test_row_of_masses(self):
        mbs, _ = masses_between_walls(5)
        values, vectors = mbs.ComputeODE2Eigenvalues()
        np.testing.assert_allclose(values, self.exact, rtol=1e-12)
        k = np.arange(1, 6)
        shape = np.sin(k * pi / 6)
        np.testing.assert_allclose(np.abs(vectors[:, 0] / vectors[0, 0]), shape / shape[0], rtol=1e-10)
        hertz, _ = mbs.ComputeODE2Eigenvalues(convert2Frequencies=True, numberOfEigenvalues=2)
        np.testing.assert_allclose(hertz, np.sqrt(self.exact[:2]) / (2 * pi), rtol=1e-12)
        sparse, _ = mbs.ComputeODE2Eigenvalues(useSparseSolver=True, numberOfEigenvalues=3)
        np.testing.assert_allclose(sparse, self.exact[:3], rtol=1e-9)

    def test_held_coordinates(self):
        mbs, _ = masses_between_walls(5)
        values, vectors = mbs.ComputeODE2Eigenvalues(constrainedCoordinates=[2])
        np.testing.assert_allclose(values, np.repeat(4 * 25. * np.sin(np.array([1, 2]) * pi / 6)**2, 2), rtol=1e-12)
        np.testing.assert_allclose(vectors[2], 0, atol=1e-14)
        with self.assertRaisesRegex(ValueError, 'constrainedCoordinates has 5'):
            mbs.ComputeODE2Eigenvalues(constrainedCoordinates=[5])

    def test_ignored_constraints(self):
        mbs, _ = masses_between_walls(5)
        ends = [mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=0)) for n in (1, 3)]
        mbs.AddObject(CoordinateConstraint(markerNumbers=ends))
        self.assertEqual(len(mbs.ComputeODE2Eigenvalues()[0]), 4)
        np.testing.assert_allclose(mbs.ComputeODE2Eigenvalues(ignoreAlgebraicEquations=True)[0], self.exact, rtol=1e-12)

    def test_damped(self):
        mbs, _, _ = oscillator(mass=2., stiffness=50., damping=4.)
        values, _ = mbs.ComputeODE2Eigenvalues(computeComplexEigenvalues=True, useAbsoluteValues=False,
                                               constrainedCoordinates=[1, 2])
        np.testing.assert_allclose(sorted(values, key=np.imag), [-1 - 24**0.5 * 1j, -1 + 24**0.5 * 1j], rtol=1e-12)
        with self.assertRaises(ValueError):
            mbs.ComputeODE2Eigenvalues(computeComplexEigenvalues=True, convert2Frequencies=True)

    def test_hanging_rod_of_every_node(self):
        for node in ('RotationEulerParameters', 'RotationRxyz', 'RotationRotationVector'):
            mbs, exact = hanging_rod(exu.NodeType[node])
            values, vectors = mbs.ComputeODE2Eigenvalues()
            with self.subTest(node=node):
                np.testing.assert_allclose(values, [exact], rtol=1e-12)
                self.assertEqual(vectors.shape, (mbs.systemData.ODE2Size(), 1))

    def test_of_the_initial_state(self):
        mbs, _, _ = oscillator(springForceUserFunction='k*u + 10*u^3', start=(2., 0., 0.))
        mbs.Assemble()
        mbs.systemData.SetODE2Coordinates([0., 0, 0])
        values, _ = mbs.ComputeODE2Eigenvalues(constrainedCoordinates=[1, 2])
        np.testing.assert_allclose(values, [(50 + 30 * 4) / 2], rtol=1e-6)
        np.testing.assert_array_equal(mbs.systemData.GetODE2Coordinates(), [0, 0, 0])


class Linearized(unittest.TestCase):
    def test_matrices(self):
        mbs, _ = masses_between_walls(2, mass=3., stiffness=50., damping=0.5)
        M, K, D = exu.ComputeLinearizedSystem(mbs)
        np.testing.assert_allclose(M, np.diag([3, 3]), atol=1e-14)
        np.testing.assert_allclose(K, [[100, -50], [-50, 100]], atol=1e-12)
        np.testing.assert_allclose(D, [[1, -0.5], [-0.5, 1]], atol=1e-14)

    def test_projection(self):
        mbs, exact = hanging_rod(exu.NodeType.RotationEulerParameters)
        M, K, D, C, N = mbs.ComputeLinearizedSystem(projectIntoConstraintNullspace=True, returnConstraintJacobian=True,
                                                    returnConstraintNullspace=True)
        self.assertEqual((M.shape, C.shape, N.shape), ((1, 1), (6, 5), (1, 6)))
        self.assertAlmostEqual(K[0, 0] / M[0, 0], exact, delta=1e-12 * exact)
        np.testing.assert_allclose(N @ C, 0, atol=1e-14)
        np.testing.assert_allclose(D, 0, atol=1e-14)


class DegreesOfFreedom(unittest.TestCase):
    def test_planar_four_bar_in_space(self):
        mbs = exu.SystemContainer().AddSystem()
        ground = mbs.CreateGround()
        points = np.array([[0, 0, 0], [0, 1, 0], [2, 1, 0], [2, 0, 0]], float)
        bodies = [ground]
        for a, b in zip(points, points[1:]):
            bodies.append(mbs.CreateRigidBody(inertia=InertiaSphere(1., 0.1), referencePosition=(a + b) / 2))
        for k, point in enumerate(points):
            mbs.CreateRevoluteJoint(bodyNumbers=[bodies[k], bodies[(k + 1) % 4]], position=point, axis=[0, 0, 1])
        self.assertEqual(mbs.ComputeSystemDegreeOfFreedom(), {'degreeOfFreedom': 1, 'redundantConstraints': 3,
                                                              'nODE2': 18, 'nODE1': 0, 'nAE': 20, 'nPureAE': 0})

    def test_inactive_joint(self):
        mbs, _ = hanging_rod(exu.NodeType.RotationRxyz)
        self.assertEqual(exu.ComputeSystemDegreeOfFreedom(mbs)['degreeOfFreedom'], 1)
        mbs.SetObjectParameter(mbs.systemData.NumberOfObjects() - 1, 'activeConnector', False)
        found = mbs.ComputeSystemDegreeOfFreedom()
        self.assertEqual((found['degreeOfFreedom'], found['nAE'], found['nPureAE']), (6, 5, 5))


if __name__ == '__main__':
    unittest.main()
