"""A chain of many bars with revolute joints, each turned a little against the one before; with timing.

    ./dev python examples/large_chain.py [BODIES]
"""

import sys
import time

import catena as exu
from catena.utilities import *

bodies = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
length, width = 0.4, 0.1  # [m]

begin = time.time()
mbs = exu.SystemContainer().AddSystem()
inertia = InertiaCuboid(1000, [length, width, width])
mass, tensor = inertia.Mass(), inertia.GetInertia6D()
last = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
turn = RotationMatrixX(0.01) @ RotationMatrixZ(0.02)
A, end = np.eye(3), np.zeros(3)
for i in range(bodies):
    centre = end + A[:, 0] * (0.5 * length)
    end = end + A[:, 0] * length
    node = mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[*centre, *RotationMatrix2RotationVector(A)]))
    body = mbs.AddObject(ObjectRigidBody(nodeNumber=node, mass=mass, inertia=tensor))
    first = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[-0.5 * length, 0, 0]))
    mbs.AddObject(ObjectJointRevoluteZ(markerNumbers=[last, first], **({} if i == 0 else {'rotationMarker0': turn})))
    last = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[0.5 * length, 0, 0]))
    mbs.AddLoad(LoadMassProportional(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=body)), loadVector=[0, 0, 9.81]))
    A = A @ turn
built = time.time()
mbs.Assemble()
assembled = time.time()

settings = exu.SimulationSettings()
settings.timeIntegration.endTime = 0.02
settings.timeIntegration.numberOfSteps = 20
settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
mbs.SolveDynamic(settings)
solved = time.time()

print(f'{bodies} bodies: built in {built - begin:.2f} s, assembled in {assembled - built:.2f} s, '
      f'20 steps in {solved - assembled:.2f} s')
print(mbs.sys['dynamicSolver'])
