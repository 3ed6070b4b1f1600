"""Mechanisms with rolling discs, user equations and vector constraints of the public test suite of Exudyn in our own
words, see test_mechanisms.py."""

import unittest

import numpy as np

import catena as exu
from catena.utilities import (CoordinateVectorConstraint, Force, GenericJoint, InertiaCuboid, InertiaCylinder,
                              MarkerBodyRigid, MarkerNodeCoordinates, MarkerNodePosition, MarkerObjectODE2Coordinates,
                              MassPoint2D, NodeGenericData, NodePoint, NodePointGround, ObjectGenericODE2, ObjectGround,
                              ObjectJointRollingDisc, Point2D, RigidBodyInertia, RigidBodySpringDamper,
                              RollingDiscPenalty, RotationMatrixX, RotationMatrixZ, SensorBody, Skew, SphericalJoint,
                              Torque, TorsionalSpringDamper)
from test_mechanisms import settings

INDEX2 = exu.DynamicSolverType.TrapezoidalIndex2


def rigid(mbs, body, position=(0, 0, 0)):
    return mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=position))


class Compared(unittest.TestCase):

    def check(self, value, reference, relative=1e-7):
        self.assertAlmostEqual(value, reference, delta=relative * abs(reference))


class RollingDiscs(Compared):

    def test_two_wheeler(self):
        mbs, g, r, length = exu.MainSystem(), [0, 0, -9.81], 0.1, 0.8
        omega = np.array([0, 8 * np.pi, 0])
        v = Skew(omega) @ [0, 0, r]
        ring = RigidBodyInertia(1, np.diag([0.125 * r ** 2, 0.25 * r ** 2, 0.125 * r ** 2]))
        wheels = [mbs.CreateRigidBody(referencePosition=[x, 0, r], initialVelocity=v, initialAngularVelocity=omega,
                                      inertia=ring, gravity=g) for x in (-0.5 * length, 0.5 * length)]
        board = mbs.CreateRigidBody(referencePosition=[0, 0, 1.2 * r], initialVelocity=v, gravity=g,
                                    inertia=InertiaCuboid(2800, [length, 0.5 * r, 0.5 * r]))
        ground = mbs.CreateGround()
        for wheel in wheels:
            mbs.CreateRevoluteJoint(bodyNumbers=[wheel, board], position=[0, 0, 0], axis=[0, 1, 0], useGlobalFrame=False)
        discs = [mbs.CreateRollingDiscPenalty(bodyNumbers=[ground, wheel], axisVector=[0, 1, 0], discRadius=r,
                                              contactStiffness=1e5, contactDamping=1e3, dryFriction=[0.4, 0.4])
                 for wheel in wheels]
        mbs.SolveDynamic(settings(1, 500))
        self.check(np.linalg.norm(mbs.GetObjectOutput(discs[0], 'Position')), 2.1129927199922243)

    def test_gyroscopic_force_of_a_mill(self):
        mbs, m, r, d, kAB = exu.MainSystem(), 30, 1.8, 3, 1.2
        omega = np.sqrt(r * (400 - m * 9.81) / (m * kAB ** 2))
        spin = -d / r * omega
        v = np.array([0, omega * d, 0])
        arm = mbs.CreateRigidBody(inertia=InertiaCuboid(1, [0.1] * 3), referencePosition=[0.5 * d, 0, r],
                                  initialVelocity=0.5 * v, initialAngularVelocity=[0, 0, omega])
        wheel = mbs.CreateRigidBody(inertia=RigidBodyInertia(m, np.diag([m * kAB ** 2, m * r ** 2, m * r ** 2])),
                                    referencePosition=[d, 0, r], initialVelocity=v, gravity=[0, 0, -9.81],
                                    initialAngularVelocity=[spin, 0, omega])
        ground = mbs.AddObject(ObjectGround())
        mbs.AddObject(SphericalJoint(markerNumbers=[rigid(mbs, ground, [0, 0, r]), rigid(mbs, arm, [-0.5 * d, 0, 0])]))
        mbs.AddObject(GenericJoint(markerNumbers=[rigid(mbs, arm, [0.5 * d, 0, 0]), rigid(mbs, wheel)],
                                   constrainedAxes=[0, 1, 1, 0, 1, 1]))
        markers = [rigid(mbs, ground), rigid(mbs, wheel)]
        disc = mbs.AddObject(ObjectJointRollingDisc(markerNumbers=markers, discRadius=r))
        mbs.SolveDynamic(settings(0.1, 100, modified=False))
        self.check(1e-3 * np.abs(mbs.GetObjectOutput(disc, 'ForceLocal')).sum(), 1.0342017388721547)

    def car(self, width, wheel_width, turns, friction):
        """Car body, four wheels on a plane: (mbs, car, wheels, markers of the wheels)."""
        mbs, g, r, length = exu.MainSystem(), [0, 0, -9.81], 0.4, 3
        car = mbs.CreateRigidBody(inertia=InertiaCuboid(500 / (length * width * r), [width, length, r]), gravity=g,
                                  referencePosition=[0, 0, r])
        ground = rigid(mbs, mbs.AddObject(ObjectGround()))
        wheels, markers = [], []
        for i in range(4):
            offset = np.array([(-0.5, 0.5)[i % 2] * width, (-0.5, 0.5)[i // 2] * length, 0])
            wheels.append(mbs.CreateRigidBody(inertia=InertiaCylinder(500, wheel_width, r, axis=0), gravity=g,
                                              referencePosition=offset + [0, 0, r], referenceRotationMatrix=turns[i]))
            markers.append(rigid(mbs, wheels[i]))
            mbs.AddObject(GenericJoint(markerNumbers=[markers[i], rigid(mbs, car, offset)], rotationMarker1=turns[i],
                                       constrainedAxes=[1, 1, 1, 0, 1, 1]))
            data = mbs.AddNode(NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))
            mbs.AddObject(RollingDiscPenalty(
                markerNumbers=[ground, markers[i]], nodeNumber=data, discRadius=r, dryFrictionProportionalZone=0.1,
                contactStiffness=1e5, contactDamping=1e3, **friction(i)))
        return mbs, car, wheels, markers

    def test_car_that_steers(self):
        # Halving the step moves the result by 5.5e-6, 200 times its distance from the reference.
        turns = [np.eye(3)] * 2 + [RotationMatrixZ(np.arctan(3 / 5)), RotationMatrixZ(np.arctan(3 / 7))]
        mbs, _, wheels, markers = self.car(2, 0.1, turns, lambda i: {'dryFriction': [0.4, 0.4]})
        for marker in markers[:2]:
            mbs.AddLoad(Torque(markerNumber=marker, loadVector=[-200, 0, 0], bodyFixed=True))
        mbs.SolveDynamic(settings(0.5, 250, modified=False), solverType=INDEX2)
        node = mbs.GetObjectParameter(wheels[3], 'nodeNumber')
        self.check(mbs.GetNodeOutput(node, 'Coordinates').sum(), -0.23940048717113782, relative=2e-7)

    def test_car_on_mecanum_wheels(self):
        def friction(i):
            return {'dryFriction': [1, 0], 'dryFrictionAngle': (-0.25 if i in (0, 3) else 0.25) * np.pi}

        mbs, car, wheels, markers = self.car(3, 0.2, [np.eye(3)] * 4, friction)
        local = exu.OutputVariableType.AngularVelocityLocal
        spins = [mbs.AddSensor(SensorBody(bodyNumber=wheel, outputVariableType=local)) for wheel in wheels]

        def torque(mbs, t, load):
            i = int(load[0])
            return [500 * ((2.5, -2.5, -2.5, 2.5)[i] - mbs.GetSensorValues(spins[i])[0]), 0, 0]

        for i, marker in enumerate(markers):
            mbs.AddLoad(Torque(markerNumber=marker, loadVector=[i, 0, 0], bodyFixed=True, loadVectorUserFunction=torque))
        s = settings(0.5, 250, newmark=True)
        s.timeIntegration.discontinuous.ignoreMaxIterations = False
        s.timeIntegration.discontinuous.iterationTolerance = 0.1
        mbs.SolveDynamic(s)
        self.check(mbs.GetObjectOutputBody(car, 'Position')[0], 0.2714267238324343)

    def table(self, penalty):
        """A wheel on an arm drives a turntable, which is braked after half of the time."""
        mbs, r, d, k = exu.MainSystem(), 0.5, 3, 1e6
        g, quarter = [0, -9.81, 0], RotationMatrixX(0.5 * np.pi)
        wheel = mbs.CreateRigidBody(inertia=InertiaCylinder(1000, 0.1, r, axis=2), gravity=g,
                                    referencePosition=[0, 0, d])
        ground = mbs.AddObject(ObjectGround(referencePosition=[0, -r, 0]))
        table = mbs.CreateRigidBody(inertia=RigidBodyInertia(100, 1000 * np.eye(3)), gravity=g,
                                    referencePosition=[0, -r, 0])
        markers = [rigid(mbs, ground), rigid(mbs, table)]
        mbs.AddObject(GenericJoint(markerNumbers=markers, constrainedAxes=[1, 1, 1, 1, 0, 1]))
        brake = mbs.AddObject(TorsionalSpringDamper(markerNumbers=markers, rotationMarker0=quarter,
                                                    rotationMarker1=quarter))
        arm, translations = rigid(mbs, wheel, [0, 0, -d]), np.diag([1, 1, 1, 0, 0, 0])
        mbs.AddObject(RigidBodySpringDamper(markerNumbers=[arm, rigid(mbs, ground, [0, r, 0])],
                                            stiffness=k * translations, damping=1e4 * translations))
        mbs.AddLoad(Torque(markerNumber=arm, loadVector=[0, 0, 20], bodyFixed=True))
        disc = {'markerNumbers': [markers[1], rigid(mbs, wheel)], 'discRadius': r, 'discAxis': [0, 0, 1],
                'planeNormal': [0, 1, 0]}
        if penalty:
            data = mbs.AddNode(NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))
            mbs.AddObject(RollingDiscPenalty(nodeNumber=data, contactStiffness=k, contactDamping=1e4,
                                             dryFriction=[0.5, 0.5], dryFrictionProportionalZone=0.01,
                                             useLinearProportionalZone=True, **disc))
        else:
            mbs.AddObject(ObjectJointRollingDisc(**disc))

        def before_step(mbs, t):
            if abs(t - 2.5) < 1e-4:
                mbs.SetObjectParameter(brake, 'damping', 5000)
            return True

        mbs.SetPreStepUserFunction(before_step)
        mbs.SolveDynamic(settings(5, 1000), solverType=INDEX2)
        return np.linalg.norm(mbs.systemData.GetODE2Coordinates())

    def test_turntable_driven_by_a_wheel(self):
        # Halving the step moves the result by 4e-4: the norm of Euler parameters drifts on velocity level.
        self.check(self.table(False) + self.table(True), 7.838680375029869, relative=5e-7)


class UserEquations(Compared):

    def pendulum(self, generic):
        """Double pendulum whose rods are constraints by Python functions; end of the first rod after 1 s."""
        mbs, length, m = exu.MainSystem(), 0.8, 2.5
        nodes = [mbs.AddNode(Point2D(referenceCoordinates=[(i + 1) * length, 0])) for i in range(2)]
        ground = mbs.AddMarker(MarkerNodeCoordinates(nodeNumber=mbs.AddNode(NodePointGround())))

        def rods(q):
            p = np.reshape(q, (-1, 2))
            return p - np.vstack([np.zeros(2), p[:-1]])

        def constraint(mbs, t, itemNumber, q, q_t, velocityLevel):
            return np.linalg.norm(rods(q), axis=1) - length

        def jacobian(mbs, t, itemNumber, q, q_t, velocityLevel):
            d = rods(q)
            d /= np.linalg.norm(d, axis=1)[:, None]
            J = np.zeros((len(d), 2 * len(d)))
            for i, row in enumerate(d):
                J[i, 2 * i:2 * i + 2] = row
                if i:
                    J[i, 2 * i - 2:2 * i] = -row
            return J

        functions = {'constraintUserFunction': constraint, 'jacobianUserFunction': jacobian}
        if generic:
            body = mbs.AddObject(ObjectGenericODE2(nodeNumbers=nodes, massMatrix=exu.MatrixContainer(m * np.eye(4))))
            marker = mbs.AddMarker(MarkerObjectODE2Coordinates(objectNumber=body))
            mbs.AddObject(CoordinateVectorConstraint(markerNumbers=[ground, marker], scalingMarker0=np.zeros((2, 4)),
                                                     **functions))
        else:
            for node in nodes:
                mbs.AddObject(MassPoint2D(nodeNumber=node, mass=m))
            markers = [mbs.AddMarker(MarkerNodeCoordinates(nodeNumber=node)) for node in nodes]
            mbs.AddObject(CoordinateVectorConstraint(markerNumbers=[ground, markers[0]], scalingMarker0=np.zeros((1, 2)),
                                                     **functions))
            mbs.AddObject(CoordinateVectorConstraint(
                markerNumbers=markers, scalingMarker0=np.zeros((1, 4)),
                constraintUserFunction=lambda *a: constraint(*a)[1:], jacobianUserFunction=lambda *a: jacobian(*a)[1:]))
        for node in nodes:
            marker = mbs.AddMarker(MarkerNodePosition(nodeNumber=node))
            mbs.AddLoad(Force(markerNumber=marker, loadVector=[0, -m * 9.81, 0]))
        mbs.SolveDynamic(settings(1, 1000, rho=0.8, modified=False))
        return mbs.GetNodeOutput(nodes[0], 'Position').sum()

    def test_double_pendulum_of_vector_constraints(self):
        for generic in (False, True):
            self.check(self.pendulum(generic), -1.0825265797698322)

    def test_two_masses_by_matrices(self):
        mbs, eye = exu.MainSystem(), np.eye(3)
        nodes = [mbs.AddNode(NodePoint(referenceCoordinates=[x, 0, 0])) for x in (0, 1)]
        pattern = np.block([[2 * eye, -eye], [-eye, eye]])
        mbs.AddObject(ObjectGenericODE2(nodeNumbers=nodes, massMatrix=0.5 * np.eye(6), stiffnessMatrix=5000 * pattern,
                                        dampingMatrix=50 * pattern))
        mbs.AddLoad(Force(markerNumber=mbs.AddMarker(MarkerNodePosition(nodeNumber=nodes[1])), loadVector=[10, 0, 0]))
        mbs.SolveDynamic(settings(1, 100, rho=1, modified=False))
        self.check(mbs.GetNodeOutput(nodes[1], 'Position')[0], 1.0039999999354785, 1e-12)


if __name__ == '__main__':
    unittest.main()
