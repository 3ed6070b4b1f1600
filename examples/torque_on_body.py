"""A torque about z spins a rigid body up: after 1 s its angular velocity is M / J_zz.

The rotation in 100 steps costs an error of second order; 1000 steps make it 100 times smaller.
"""

import catena as exu
from catena.utilities import *

for steps in (100, 1000):
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()

    inertia = InertiaCuboid(density=1000, sideLengths=[0.4, 0.2, 0.1])
    node = mbs.AddNode(NodeRigidBodyEP(referenceCoordinates=[0.5, 0.2, 0.1] + eulerParameters0))
    body = mbs.AddObject(ObjectRigidBody(nodeNumber=node, mass=inertia.Mass(), inertia=inertia.GetInertia6D()))
    marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, 0]))
    mbs.AddLoad(LoadTorqueVector(markerNumber=marker, loadVector=[0, 0, 1]))

    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    mbs.SolveDynamic(settings)

    omega = mbs.GetNodeOutput(node, exu.OutputVariableType.AngularVelocity)[2]
    print(f'{steps:5} steps: omega J_zz / (M t) = {omega * inertia.GetInertia6D()[2]:.9f}')
