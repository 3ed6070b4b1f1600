"""A mass on a nonlinear spring, given as a Python function and as an expression: the same motion."""

import catena as exu
from catena.utilities import *


def spring_force(mbs, t, itemNumber, u, v, k, d, offset):
    """Force [N] for the displacement u [m] and the velocity v [m/s]."""
    return 0.1 * k * u + k * u ** 3 + v * d


def displacement(function):
    """Displacement [m] of the mass after 1 s."""
    mbs = exu.SystemContainer().AddSystem()
    nGround = mbs.AddNode(NodePointGround())
    nMass = mbs.AddNode(Point(referenceCoordinates=[2, 0, 0]))
    mbs.AddObject(MassPoint(mass=5, nodeNumber=nMass))
    mGround = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nGround, coordinate=0))
    mMass = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nMass, coordinate=0))
    mbs.AddObject(CoordinateSpringDamper(markerNumbers=[mGround, mMass], stiffness=5000, damping=80,
                                         springForceUserFunction=function))
    mbs.AddLoad(LoadCoordinate(markerNumber=mMass, load=1))
    mbs.Assemble()
    mbs.SolveDynamic()
    return mbs.GetNodeOutput(nMass, exu.OutputVariableType.Displacement)[0]


print('Python function:', displacement(spring_force))
print('expression:     ', displacement('0.1*k*u + k*u^3 + v*d'))
