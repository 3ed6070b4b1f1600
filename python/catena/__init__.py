"""Catena: a solver for very large multibody mechanisms.

    import catena as exu
    from catena.utilities import *

    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    mass = mbs.CreateMassPoint(referencePosition=[1, 0, 0], mass=2, gravity=[0, 0, -9.81])
    mbs.Assemble()
    mbs.SolveDynamic()
    print(mbs.GetObjectOutputBody(mass, exu.OutputVariableType.Position))
"""

from types import SimpleNamespace as _SimpleNamespace

from catena import _catena  # noqa: F401
from catena import basicUtilities, graphics, itemInterface, rigidBodyUtilities, advancedUtilities  # noqa: F401
from catena.containers import (Matrix3DList, Matrix6DList, MatrixContainer, Vector2DList, Vector3DList,  # noqa: F401
                               Vector6DList)
from catena.enums import (ConfigurationType, ContactTypeIndex, CrossSectionType, DynamicSolverType, ItemType,  # noqa: F401
                          JointType, LinearSolverType, NodeType, OutputVariableType)
from catena.errors import NotAvailableError, UserFunctionError  # noqa: F401
from catena.indices import LoadIndex, MarkerIndex, NodeIndex, ObjectIndex, SensorIndex  # noqa: F401
from catena.mainSystem import FromJson, MainSystem, SystemContainer  # noqa: F401
from catena.output import Print, SetWriteToFile, config  # noqa: F401
from catena.simulationSettings import SimulationSettings  # noqa: F401

__version__ = '0.1.0'

sys = {}        # of the package, e.g. sys['testResult']
variables = {}  # of the user
special = _SimpleNamespace(InfoStat=lambda writeOutput=True: [],
                           solver=_SimpleNamespace(timeout=-1, multiThreadingLoadBalancing=True))
experimental = _SimpleNamespace()


def SolveDynamic(mbs, *args, **kwargs):
    """mbs.SolveDynamic(...)."""
    return mbs.SolveDynamic(*args, **kwargs)


def SolveStatic(mbs, *args, **kwargs):
    """mbs.SolveStatic(...)."""
    return mbs.SolveStatic(*args, **kwargs)


def ComputeODE2Eigenvalues(mbs, *args, **kwargs):
    """mbs.ComputeODE2Eigenvalues(...)."""
    return mbs.ComputeODE2Eigenvalues(*args, **kwargs)


def ComputeLinearizedSystem(mbs, *args, **kwargs):
    """mbs.ComputeLinearizedSystem(...)."""
    return mbs.ComputeLinearizedSystem(*args, **kwargs)


def ComputeSystemDegreeOfFreedom(mbs, *args, **kwargs):
    """mbs.ComputeSystemDegreeOfFreedom(...)."""
    return mbs.ComputeSystemDegreeOfFreedom(*args, **kwargs)


def InvalidIndex():
    """The index that refers to no item: -1."""
    return -1


def RequireVersion(requiredVersionString):
    """Does nothing: versions of other programs say nothing about this one."""


def GetVersionString(addDetails=False):
    """Version as text."""
    return config.Version(addDetails)


def StartRenderer(verbose=0):
    """There is no viewer: returns False."""
    return False


def StopRenderer():
    """There is no viewer: does nothing."""


def Help():
    """A hint where to find documentation."""
    Print(__doc__)


def __getattr__(name):
    """Modules that load on first use; names of the language that are missing."""
    import importlib
    if name in ('plot', 'utilities', 'graphicsDataUtilities', 'compat'):
        return importlib.import_module('catena.' + name)
    if name in ('symbolic', 'MainSolverStatic', 'MainSolverImplicitSecondOrder', 'MainSolverExplicit', 'BeamSection',
                'BeamSectionGeometry'):
        raise NotAvailableError(f'{name} is not available yet')
    known = [n for n in globals() if not n.startswith('_')]
    near = _catena.nearestName(name, known)
    raise AttributeError(f"catena has no '{name}'" + (f"; did you mean '{near}'?" if near else ''))
