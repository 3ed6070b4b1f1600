"""Two links on universal joints hang from a turning base; the ball at the end bounces and slides on a rotating disc.

The model of examples/spatial_pendulum.json; docs/contact.md shows its motion.
"""

import catena as exu
from catena.utilities import *

joint_damping = 0.002  # [N m s]
height = -0.44  # of the disc below the base [m]

SC = exu.SystemContainer()
mbs = SC.AddSystem()
fixed = mbs.AddNode(NodePointGround())
zero = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0))


def rotor(position, angle, speed, initial_speed=0):
    """A body that turns about the vertical by an angle with this speed, formulas in t; returns its marker."""
    node = mbs.AddNode(Node1D(initialVelocities=[initial_speed]))
    body = mbs.AddObject(ObjectRotationalMass1D(inertia=1, nodeNumber=node, referencePosition=position))
    turn = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=[zero, turn], offsetUserFunction=angle,
                                                offsetUserFunction_t=speed))
    return mbs.AddMarker(MarkerBodyRigid(bodyNumber=body))


def universal_joint(marker0, marker1):
    """A common point and x of marker 0 normal to y of marker 1. The relative angular velocity has only parts along these
    two axes, so that equal damping of all rotations is that of both angles."""
    mbs.AddObject(ObjectJointGeneric(markerNumbers=[marker0, marker1], constrainedAxes=[1, 1, 1, 0, 0, 1]))
    mbs.AddObject(ObjectConnectorRigidBodySpringDamper(markerNumbers=[marker0, marker1],
                                                       damping=np.diag([0, 0, 0] + 3 * [joint_damping])))


def link(name, distance, mass, inertia):
    """A link hanging straight, its centre of mass at this distance from the base."""
    return mbs.CreateRigidBody(name=name, referencePosition=tilt @ [0, 0, -distance], referenceRotationMatrix=tilt,
                               inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia)),
                               nodeType=exu.NodeType.RotationRotationVector, gravity=[0, 0, -9.81])


def marker(body, z):
    return mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, z]))


tilt = RotationMatrixX(0.5)
base = rotor([0, 0, 0], 't - sin(5*t)/5', '1 - cos(5*t)')
disc = rotor([0.05, 0.05, height], '8*t', '8', initial_speed=8)
link1 = link('link 1', 0.1, 0.3, [1.2e-3, 1.1e-3, 1.5e-4])
link2 = link('link 2', 0.38, 0.45, [2.6e-3, 2.4e-3, 2.2e-4])
universal_joint(base, marker(link1, 0.1))
universal_joint(marker(link1, -0.1), marker(link2, 0.18))

ball = marker(link2, -0.07)
contact = mbs.AddObject(ObjectContactSphereDisc(
    markerNumbers=[disc, ball], sphereRadius=0.03, discRadius=0.3, contactStiffness=1e5,
    dampingModel='restitution', restitutionCoefficient=0.6, impactVelocity=0.5,
    frictionModel='contensou', dynamicFriction=0.3, frictionProportionalZone=0.01,
    rollingResistance=2e-4, rollingProportionalZone=0.1))
position = mbs.AddSensor(SensorMarker(markerNumber=ball, outputVariableType=exu.OutputVariableType.Position))
force = mbs.AddSensor(SensorObject(objectNumber=contact, outputVariableType=exu.OutputVariableType.NormalForce))

mbs.Assemble()
settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 3
settings.timeIntegration.numberOfSteps = 15000
settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
settings.solutionSettings.sensorsWritePeriod = 1e-3
mbs.SolveDynamic(settings)

path, normal = mbs.GetSensorStoredData(position), mbs.GetSensorStoredData(force)[:, 1]
touching = normal > 0
print(f'first touch at t = {path[touching, 0][0]:.3f} s, in contact {100 * touching.mean():.0f} % of the time')
print(f'largest normal force [N]: {normal.max():.1f}, at the end {normal[-1]:.2f}')
print('ball at the end [m]:', np.round(path[-1, 1:], 6))
