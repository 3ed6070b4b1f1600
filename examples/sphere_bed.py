"""A hundred spheres fall into a box, bounce, and come to rest as a bed.

At the end the floor and walls carry the weight, no two spheres overlap more than the force law lets the load of the
bed press them, and the energy that is gone has been dissipated by the contacts.
"""

import catena as exu
from catena.utilities import *

radius, mass, gravity = 0.05, 0.5, 9.81  # [m], [kg], [m/s^2]
stiffness = 1e6  # [N/m^1.5]
width, layers = 5, 4  # spheres along the sides of the box and over each other
spacing = 2.2 * radius
side = width * spacing

SC = exu.SystemContainer()
mbs = SC.AddSystem()
ground = mbs.AddObject(ObjectGround())

inertia = InertiaSphere(mass, radius)
bodies, markers = [], []
for i in range(width * width * layers):
    aside = 0.08 * radius * np.sin([12.9 * i, 78.2 * i, 37.7 * i])
    cell = [i % width + 0.5, i // width % width + 0.5, i // width**2 + 0.5]
    bodies.append(mbs.CreateRigidBody(referencePosition=spacing * np.array(cell) + aside, inertia=inertia,
                                      nodeType=exu.NodeType.RotationRotationVector, gravity=[0, 0, -gravity]))
    markers.append(mbs.AddMarker(MarkerBodyRigid(bodyNumber=bodies[-1])))

# the floor and four walls, normals towards the spheres
corners: list[list[float]] = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [side, side, 0], [side, side, 0]]
normals = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]
planes = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=corner)) for corner in corners]
contacts = mbs.AddObject(ObjectContactSet(
    sphereMarkers=markers, sphereRadii=[radius], planeMarkers=planes, planeNormals=normals,
    contactStiffness=stiffness, dampingModel='huntCrossley', huntCrossleyDamping=1.0,
    frictionModel='contensou', dynamicFriction=0.3, frictionProportionalZone=0.01))


def energy():
    """Of motion and height, and what the contacts store [J]."""
    total = mbs.GetObjectOutput(contacts, exu.OutputVariableType.PotentialEnergy)
    for body in bodies:
        v = mbs.GetObjectOutputBody(body, exu.OutputVariableType.Velocity)
        w = mbs.GetObjectOutputBody(body, exu.OutputVariableType.AngularVelocity)
        z = mbs.GetObjectOutputBody(body, exu.OutputVariableType.Position)[2]
        total += 0.5 * mass * v @ v + 0.5 * 0.4 * mass * radius**2 * w @ w + mass * gravity * z
    return total


depth = mbs.AddSensor(SensorObject(objectNumber=contacts, outputVariableType=exu.OutputVariableType.PenetrationDepth))
force = mbs.AddSensor(SensorObject(objectNumber=contacts, outputVariableType=exu.OutputVariableType.Force))
power = mbs.AddSensor(SensorObject(objectNumber=contacts, outputVariableType=exu.OutputVariableType.DissipatedPower))

mbs.Assemble()
start = energy()
settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 1.5
settings.timeIntegration.numberOfSteps = 3000
settings.timeIntegration.generalizedAlpha.spectralRadius = 0.6
settings.solutionSettings.writeSolutionToFile = False
settings.solutionSettings.sensorsWritePeriod = 5e-4
mbs.SolveDynamic(settings)

weight = len(bodies) * mass * gravity
lost = start - energy()
p = mbs.GetSensorStoredData(power)
dissipated = np.sum(0.5 * (p[1:, 1] + p[:-1, 1]) * np.diff(p[:, 0]))
load = mbs.GetSensorStoredData(force)[-1, 1:]
overlap = mbs.GetSensorStoredData(depth)[:, 1]
print(f'floor and walls carry {-load[2]:.2f} N of a weight of {weight:.2f} N')
print(f'energy lost {lost:.4f} J, dissipated by the contacts {dissipated:.4f} J')
print(f'largest overlap on the way {1e3 * overlap.max():.2f} mm, at rest {1e3 * overlap[-1]:.3f} mm')
