"""A coordinate constraint holds the rotation of a body relative to the ground: its force is the reaction torque."""

import catena as exu
from catena.utilities import *

SC = exu.SystemContainer()
mbs = SC.AddSystem()
oGround = mbs.AddObject(ObjectGround())
nGround = mbs.AddNode(NodePointGround())

inertia = InertiaCuboid(density=1000, sideLengths=[0.4, 0.2, 0.1])
node = mbs.AddNode(NodeRigidBodyRxyz(referenceCoordinates=[0, 0, 0, 0, 0, 0]))
body = mbs.AddObject(ObjectRigidBody(nodeNumber=node, mass=inertia.Mass(), inertia=inertia.GetInertia6D()))

# the data node continues the angle beyond +-pi
nData = mbs.AddNode(NodeGenericData(numberOfDataCoordinates=1, initialCoordinates=[0]))
mRelative = mbs.AddMarker(MarkerBodiesRelativeRotationCoordinate(bodyNumbers=[oGround, body], axis0=[0, 0, 1],
                                                                 nodeNumber=nData))
mGround = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nGround, coordinate=0))
hold = mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=[mGround, mRelative]))
mBody = mbs.AddMarker(MarkerNodeRigid(nodeNumber=node))
mbs.AddLoad(LoadTorqueVector(markerNumber=mBody, loadVector=[0, 0, 2]))

mbs.Assemble()
mbs.SolveDynamic()
print('reaction torque [N m]:', mbs.GetObjectOutput(hold, exu.OutputVariableType.Force))
