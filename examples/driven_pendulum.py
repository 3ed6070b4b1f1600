"""A pendulum whose support moves up and down; a plot of the angle if matplotlib is there."""

from math import sin

import catena as exu
from catena.utilities import *

length, amplitude, frequency = 1.0, 0.1, 60.0  # [m], [m], [rad/s]: fast enough to keep the pendulum upright

SC = exu.SystemContainer()
mbs = SC.AddSystem()
ground = mbs.CreateGround()

angle = 0.2  # from the upright position [rad]
start = RotationMatrixZ(angle)
bar = mbs.CreateRigidBody(referencePosition=start @ [0, 0.5 * length, 0], referenceRotationMatrix=start,
                          inertia=InertiaCuboid(1000, [0.05, length, 0.05]), gravity=[0, -9.81, 0])


def support(mbs, t, itemNumber, parameters):
    """Offset of the joint: translations [m] and angles [rad]."""
    return [0, amplitude * (1 - cos(frequency * t)), 0, 0, 0, 0]


mbs.CreateGenericJoint(bodyNumbers=[ground, bar], position=[0, 0, 0], constrainedAxes=[1, 1, 1, 1, 1, 0],
                       offsetUserFunction=support)
damper = mbs.CreateTorque(bodyNumber=bar, loadVectorUserFunction=lambda mbs, t, torque: [
    0, 0, -1.0 * mbs.GetObjectOutputBody(bar, exu.OutputVariableType.AngularVelocity)[2]])
rotation = mbs.AddSensor(SensorBody(bodyNumber=bar, name='rotation', outputVariableType=exu.OutputVariableType.Rotation))

mbs.Assemble()
settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 5
settings.timeIntegration.numberOfSteps = 5000
mbs.SolveDynamic(settings)

angles = mbs.GetSensorStoredData(rotation)[:, 3]
print(f'angle from the upright position: {angle} rad at the start, {angles[-1]:.4f} rad after 5 s')
try:
    mbs.PlotSensor(rotation, components=2, yLabel='angle from upright (rad)', fileName='driven_pendulum.png')
    print('plot in driven_pendulum.png')
except exu.NotAvailableError as error:
    print(error)
