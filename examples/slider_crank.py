"""A slider-crank, driven by a torque; the loop closes with a spherical joint, so that no constraint is redundant."""

import catena as exu
from catena.utilities import *

crank_length, rod_length, width = 0.2, 0.5, 0.03  # [m]

SC = exu.SystemContainer()
mbs = SC.AddSystem()
ground = mbs.CreateGround(name='ground')

crank = mbs.CreateRigidBody(name='crank', referencePosition=[0.5 * crank_length, 0, 0], gravity=[0, -9.81, 0],
                            inertia=InertiaCuboid(7850, [crank_length, width, width]))
rod = mbs.CreateRigidBody(name='rod', referencePosition=[crank_length + 0.5 * rod_length, 0, 0], gravity=[0, -9.81, 0],
                          inertia=InertiaCuboid(7850, [rod_length, width, width]))
slider = mbs.CreateRigidBody(name='slider', referencePosition=[crank_length + rod_length, 0, 0],
                             inertia=InertiaCuboid(7850, [0.1, 0.08, 0.08]))

mbs.CreateRevoluteJoint(bodyNumbers=[ground, crank], position=[0, 0, 0], axis=[0, 0, 1])
mbs.CreateRevoluteJoint(bodyNumbers=[crank, rod], position=[crank_length, 0, 0], axis=[0, 0, 1])
mbs.CreatePrismaticJoint(bodyNumbers=[ground, slider], position=[crank_length + rod_length, 0, 0], axis=[1, 0, 0])
# in the plane the rod needs two conditions at the slider, x and y
mbs.CreateSphericalJoint(bodyNumbers=[slider, rod], position=[crank_length + rod_length, 0, 0], constrainedAxes=[1, 1, 0])
mbs.CreateTorque(bodyNumber=crank, loadVector=[0, 0, 8],
                 loadVectorUserFunction=lambda mbs, t, torque: [0, 0, torque[2] if t < 0.5 else 0])

position = mbs.AddSensor(SensorBody(bodyNumber=slider, outputVariableType=exu.OutputVariableType.Position))
spin = mbs.AddSensor(SensorBody(bodyNumber=crank, outputVariableType=exu.OutputVariableType.AngularVelocity))

mbs.Assemble()
settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 2
settings.timeIntegration.numberOfSteps = 2000
mbs.SolveDynamic(settings)

x = mbs.GetSensorStoredData(position)[:, 1]
print(f'stroke of the slider [m]: {x.max() - x.min():.6f}, twice the crank is {2 * crank_length}')
print(f'angular velocity of the crank at the end [rad/s]: {mbs.GetSensorValues(spin)[2]:.4f}')
