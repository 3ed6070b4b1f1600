"""Kinematic trees and robots: reference values, and the same robot on joint coordinates and as bodies with joints."""

import unittest

import numpy as np

import catena as exu
from catena.motion import ProfileConstantAcceleration, Trajectory
from catena.robotics import Robot, RobotBase, RobotLink, RobotTool, StdDH2HT
from catena.utilities import *  # noqa: F401,F403


def settings(end, steps):
    s = exu.SimulationSettings()
    s.timeIntegration.endTime, s.timeIntegration.numberOfSteps = end, steps
    s.timeIntegration.newton.relativeTolerance = s.timeIntegration.newton.absoluteTolerance = 1e-11
    s.solutionSettings.writeSolutionToFile = False
    return s


def bar(length, width):
    return InertiaCuboid(density=1000, sideLengths=[length, width, width]).Translated([length / 2, 0, 0])


def puma(tool=(0, 0, 0)):
    """Puma 560 (Corke, Robotics, Vision and Control, Springer 2017); gravity pulls along +z of its base here."""
    robot = Robot(gravity=[0, 0, 9.81], tool=RobotTool(HTtranslate(tool)))
    for mass, com, inertia, dh in (
            (20, [0, 0, 0], [0.18, 0.35, 0.18], [0, 0, 0, np.pi / 2]),
            (17.4, [-0.3638, 0.006, 0.2275], [0.13, 0.524, 0.539], [0, 0, 0.4318, 0]),
            (4.8, [-0.0203, -0.0141, 0.07], [0.066, 0.086, 0.0200], [0, 0.15, 0.0203, -np.pi / 2]),
            (0.82, [0, 0.019, 0], [0.0018, 0.0013, 0.0018], [0, 0.4318, 0, np.pi / 2]),
            (0.34, [0, 0, 0], [0.0003, 0.0004, 0.0003], [0, 0, 0, -np.pi / 2]),
            (0.09, [0, 0, 0.032], [0.00015, 0.00015, 4e-5], [0, 0, 0, 0])):
        robot.AddLink(RobotLink(mass, com, np.diag(inertia), localHT=StdDH2HT(dh)))
    return robot


class KinematicTrees(unittest.TestCase):
    def chain(self, n=5, length=2):
        """Bars in a row whose axes are turned in space."""
        turned = [np.eye(3), RotXYZ2RotationMatrix([np.pi / 2, np.pi / 4, 0])]
        return [TreeLink(bar(length, 0.1), jointHT=HomogeneousTransformation(
            turned[i % 3 >= 1] if i % 3 or i % 2 == 0 else RotXYZ2RotationMatrix([0, np.pi / 4, 0]),
            [length if i else 0, 0, 0])) for i in range(n)]

    def test_chain_reference(self):
        mbs = exu.SystemContainer().AddSystem()
        tree = mbs.CreateKinematicTree(listOfTreeLinks=self.chain(), gravity=[0, -10, 0])
        mbs.Assemble()
        mbs.SolveDynamic(settings(1, 200), solverType=exu.DynamicSolverType.RK44)
        # Exudyn's kinematicTreeTest with the same steps; converged -1.3093839514061
        self.assertAlmostEqual(sum(mbs.GetObjectOutput(tree, exu.OutputVariableType.Coordinates)), -1.309383960216414,
                               delta=1e-12)

    def test_matrices_are_read_back_one_by_one(self):
        mbs = exu.SystemContainer().AddSystem()
        links = self.chain()
        tree = mbs.CreateKinematicTree(listOfTreeLinks=links)
        self.assertEqual(np.shape(ObjectKinematicTree().jointTransformations), (0,))
        for read in (mbs.GetObjectParameter(tree, 'jointTransformations'), mbs.GetObject(tree)['jointTransformations']):
            self.assertIsInstance(read, list)
            self.assertEqual(len(read), 5)
            for A, link in zip(read, links):
                np.testing.assert_array_equal(A, link.jointHT[:3, :3])
        changed = [2 * J for J in mbs.GetObjectParameter(tree, 'linkInertiasCOM')]
        mbs.SetObjectParameter(tree, 'linkInertiasCOM', changed)
        np.testing.assert_array_equal(mbs.GetObjectParameter(tree, 'linkInertiasCOM'), changed)

    def test_control_follows_its_offsets(self):
        mbs = exu.SystemContainer().AddSystem()
        links = [TreeLink(bar(0.8, 0.05), joint, HTtranslate([0.1 * i, 0, 0.2]), parent, (2e4, 4e2))
                 for i, (joint, parent) in enumerate([(exu.JointType.PrismaticX, -1), (exu.JointType.RevoluteZ, 0),
                                                      (exu.JointType.RevoluteY, 0)])]
        tree = mbs.CreateKinematicTree(listOfTreeLinks=links)

        def preStep(mbs, t):
            u = mbs.GetObjectParameter(tree, 'jointPositionOffsetVector')
            u[:] = [SmoothStep(t, 0, 0.5, 0, end) for end in (0.2, 0.7, -0.4)]
            mbs.SetObjectParameter(tree, 'jointPositionOffsetVector', u)
            return True

        mbs.SetPreStepUserFunction(preStep)
        mbs.Assemble()
        mbs.SolveDynamic(settings(2, 1000))
        np.testing.assert_allclose(mbs.systemData.GetODE2Coordinates(), [0.2, 0.7, -0.4], atol=1e-6)

    def test_errors(self):
        mbs = exu.SystemContainer().AddSystem()
        with self.assertRaisesRegex(ValueError, 'CreateKinematicTree: initialCoordinates must have 5 values'):
            mbs.CreateKinematicTree(listOfTreeLinks=self.chain(), initialCoordinates=[0])
        with self.assertRaisesRegex(TypeError, 'TreeLink: linkInertia'):
            TreeLink(5)
        with self.assertRaisesRegex(ValueError, "unknown jointType 'Qx'"):
            RobotLink(1, [0, 0, 0], np.eye(3), jointType='Qx')
        with self.assertRaisesRegex(ValueError, 'parent 3 of link 0'):
            Robot().AddLink(RobotLink(1, [0, 0, 0], np.eye(3), parent=3))


class Robots(unittest.TestCase):
    def test_puma_statics_and_jacobian(self):
        nominal = [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]
        robot = puma()
        # Robotics Toolbox of P. Corke, with four digits
        np.testing.assert_allclose(robot.StaticTorques(robot.JointHT(nominal)), [0, 31.6399, 6.0351, 0, 0.0283, 0],
                                   atol=6e-5)
        np.testing.assert_allclose(
            robot.Jacobian(robot.JointHT(nominal))[:, :5],
            [[0.1500, 0.0144, 0.3197, 0, 0], [0.5963, 0, 0, 0, 0], [0, 0.5963, 0.2910, 0, 0],
             [0, 0, 0, 0.7071, 0], [0, -1, -1, 0, -1], [1, 0, 0, -0.7071, 0]], atol=6e-5)

    def test_jacobian_is_the_derivative_of_the_tool(self):
        robot = Robot(base=RobotBase(HTtranslate([0.1, 0.2, 0.3]) @ HTrotateX(0.4)), tool=RobotTool(HTtranslate([0.1, 0, 0.2])))
        for kind in ('Rz', 'Px', 'Ry', 'Pz', 'Rx'):
            robot.AddLink(RobotLink(1, [0, 0, 0], np.eye(3), HTrotateY(0.3) @ HTtranslate([0.2, 0, 0]), kind,
                                    preHT=HTrotateZ(0.5)))
        q, h = np.array([0.1, 0.2, 0.3, 0.4, 0.5]), 1e-6

        def tool(q):
            return robot.LinkHT(q)[-1] @ robot.GetToolHT()

        J = robot.Jacobian(robot.JointHT(q))
        for k, e in enumerate(np.eye(5)):
            derivative = (tool(q + h * e) - tool(q - h * e)) / (2 * h)
            np.testing.assert_allclose(J[:3, k], derivative[:3, 3], atol=1e-9)
            np.testing.assert_allclose(J[3:, k], Skew2Vec(derivative[:3, :3] @ tool(q)[:3, :3].T), atol=1e-9)

    def build(self, bodies, steps):
        """End of the tip of a branched robot, on its own coordinates or as bodies with joints."""
        mbs = exu.SystemContainer().AddSystem()
        robot = Robot(gravity=[0, -9.81, 2], base=RobotBase(HTtranslate([0.3, 0, 0.1]) @ HTrotateY(0.2)),
                      referenceConfiguration=[0.1, 0.2, -0.3, 0.4])
        for kind, parent, control in (('Px', -1, (500, 20)), ('Rz', -2, (None, None)), ('Ry', -2, (30, 2)), ('Rx', 1, (20, 1))):
            J = bar(0.5, 0.1)
            robot.AddLink(RobotLink(J.Mass(), J.COM(), J.InertiaCOM(), HTtranslate([0, 0.1, 0]) @ HTrotateZ(0.1), kind,
                                    parent, HTtranslate([0.4, 0, 0]) @ HTrotateX(0.3), control))
        self.assertFalse(robot.IsSerialRobot())
        position = exu.OutputVariableType.Position
        if bodies:
            ground = mbs.CreateGround(referencePosition=[1, 1, 1], referenceRotationMatrix=RotationMatrixX(0.6))
            base = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground))
            made = robot.CreateRedundantCoordinateMBS(mbs, base)
            sensors = [mbs.AddSensor(SensorBody(bodyNumber=made['bodyList'][i], localPosition=[0.5, 0, 0],
                                                outputVariableType=position)) for i in (2, 3)]
        else:
            tree = robot.CreateKinematicTree(mbs)['objectKinematicTree']
            inLink = [HT2translation(robot.GetLink(i).localHT @ HTtranslate([0.5, 0, 0])) for i in (2, 3)]
            sensors = [mbs.AddSensor(SensorKinematicTree(objectNumber=tree, linkNumber=i, localPosition=p,
                                                         outputVariableType=position)) for i, p in zip((2, 3), inLink)]
        mbs.Assemble()
        mbs.SolveDynamic(settings(0.5, steps))
        return np.concatenate([mbs.GetSensorValues(s) for s in sensors])

    def test_tree_and_bodies_move_alike(self):
        errors = [np.linalg.norm(self.build(True, steps) - self.build(False, steps)) for steps in (200, 400, 800)]
        self.assertLess(errors[2], 1e-5)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertAlmostEqual(coarse / fine, 4, delta=0.4)

    def test_joint_torques_balance_gravity(self):
        mbs = exu.SystemContainer().AddSystem()
        robot = puma()
        robot.referenceConfiguration = [0.1, 0.4, 0.3, 0.2, -0.3, 0.5]
        made = robot.CreateRedundantCoordinateMBS(mbs, mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.CreateGround())))
        torques = -robot.StaticTorques(robot.JointHT(robot.referenceConfiguration))
        for side in '01':
            for load, unit, torque in zip(made[f'jointTorque{side}List'], made[f'unitTorque{side}List'], torques):
                mbs.SetLoadParameter(load, 'loadVector', torque * unit)
        mbs.Assemble()
        mbs.SolveDynamic(settings(0.1, 100))
        self.assertLess(np.abs(mbs.systemData.GetODE2Coordinates_t()).max(), 1e-7)


class Trajectories(unittest.TestCase):
    def test_constant_acceleration(self):
        way = Trajectory([0, 1], 1)
        way.Add(ProfileConstantAcceleration([2, 1], 0.5))
        way.Add(ProfileConstantAcceleration([0, 0], 2))
        for t, u in ((0, [0, 1]), (1.25, [1, 1]), (1.5, [2, 1]), (2.5, [1, 0.5]), (3.5, [0, 0]), (9, [0, 0])):
            np.testing.assert_allclose(way.Evaluate(t)[0], u, atol=1e-14)
        h = 1e-5
        for t in (1.1, 1.4, 1.8, 3.1):
            (before, v0, _), (_, v, a), (after, v1, _) = (way.Evaluate(t + d) for d in (-h, 0, h))
            np.testing.assert_allclose((after - before) / (2 * h), v, atol=1e-9)
            np.testing.assert_allclose((v1 - v0) / (2 * h), a, atol=1e-8)
        self.assertEqual(way.EvaluateCoordinate(1.25, 0), [1.0, 8.0, -32.0])
        with self.assertRaisesRegex(ValueError, 'has 1 coordinates, the trajectory 2'):
            way.Add(ProfileConstantAcceleration([1], 1))


if __name__ == '__main__':
    unittest.main()
