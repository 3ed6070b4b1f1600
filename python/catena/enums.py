"""Enumerations of the modelling language."""

from enum import IntEnum
from typing import Any

from catena import _catena


def _output_variables():
    names = ['_None' if name == 'None' else name for name in _catena.outputVariables()]
    return [(name, 0 if name == '_None' else 1 << k) for k, name in enumerate(names, -1)]


class _Named(IntEnum):
    """Members print as their name."""

    def __str__(self):
        return f'{type(self).__name__}.{self.name}'


OutputVariableType: Any = _Named('OutputVariableType', _output_variables(), module=__name__)
OutputVariableType.__doc__ = 'Quantities that nodes, objects, markers and sensors measure.'


class ConfigurationType(_Named):
    """State of the system for which a quantity is evaluated."""
    _None = 0
    Initial = 1
    Current = 2
    Reference = 3
    StartOfStep = 4
    Visualization = 5


class DynamicSolverType(_Named):
    """Time integrators."""
    GeneralizedAlpha = 1
    TrapezoidalIndex2 = 2
    ExplicitEuler = 3
    ExplicitMidpoint = 4
    RK33 = 5
    RK44 = 6
    RK67 = 7
    ODE23 = 8
    DOPRI5 = 9
    DVERK6 = 10
    VelocityVerlet = 11


class LinearSolverType(_Named):
    """Solvers of the linear systems; auto takes the dense one for small and a sparse one for large systems."""
    _None = 0
    EXUdense = 1
    EigenSparse = 2
    EigenSparseSymmetric = 3
    EigenDense = 4
    auto = 5
    KLU = 6
    dense = 7
    SparseLU = 8


class NodeType(_Named):
    """Kinds of nodes; a rigid body is made with one of the Rotation... kinds."""
    _None = 0
    Ground = 1 << 0
    Position2D = 1 << 1
    Orientation2D = 1 << 2
    Point2DSlope1 = 1 << 3
    Position = 1 << 4
    Orientation = 1 << 5
    RigidBody = 1 << 6
    RotationEulerParameters = 1 << 7
    RotationRxyz = 1 << 8
    RotationRotationVector = 1 << 9
    LieGroupWithDirectUpdate = 1 << 10
    GenericODE2 = 1 << 11
    GenericODE1 = 1 << 12
    GenericAE = 1 << 13
    GenericData = 1 << 14
    PointSlope1 = 1 << 15
    PointSlope12 = 1 << 16
    PointSlope23 = 1 << 17


class JointType(_Named):
    """Joints of a kinematic tree."""
    _None = 0
    RevoluteX = 1
    RevoluteY = 2
    RevoluteZ = 3
    PrismaticX = 4
    PrismaticY = 5
    PrismaticZ = 6


class ItemType(_Named):
    """Categories of items."""
    _None = 0
    Node = 1
    Object = 2
    Marker = 3
    Load = 4
    Sensor = 5


class CrossSectionType(_Named):
    """Shapes of beam cross sections."""
    Polygon = 0
    Circular = 1


class ContactTypeIndex(_Named):
    """Kinds of contact geometries."""
    IndexSpheresMarkerBased = 0
    IndexANCFCable2D = 1
    IndexTrigsRigidBodyBased = 2
    IndexEndOfEnumList = 3
