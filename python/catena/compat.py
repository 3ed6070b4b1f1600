"""Runs scripts that were written for Exudyn.

    python3 -m catena.compat SCRIPT.py [ARGUMENTS]

or in a program, before the script's imports:

    import catena.compat
    catena.compat.install()

The modules exudyn, exudyn.utilities, ... are then those of Catena. What Catena does not have yet raises an error that
tells which feature and where it is used.
"""

import importlib
import sys
import traceback
import types

import catena
from catena.errors import NotAvailableError

# Modules under the name exudyn and what they are here.
_MODULES = {
    'utilities': 'utilities', 'itemInterface': 'itemInterface', 'rigidBodyUtilities': 'rigidBodyUtilities',
    'basicUtilities': 'basicUtilities', 'advancedUtilities': 'advancedUtilities', 'graphics': 'graphics',
    'graphicsDataUtilities': 'graphicsDataUtilities', 'plot': 'plot', 'robotics': 'robotics',
    'robotics.motion': 'motion', 'beams': 'beams',
}
_MISSING_MODULES = ('FEM', 'robotics.roboticsCore', 'robotics.utilities',
                    'robotics.models', 'machines', 'physics', 'processing', 'signalProcessing', 'lieGroupBasics',
                    'lieGroupIntegration', 'interactive', 'solver', 'mainSystemExtensions', 'GUI', 'exudynVersion')

# Item types of the language that may still be missing.
_LANGUAGE_ITEMS = {
    'Node': 'Point2D Point2DSlope1 Rigid2D RigidBody2D 1D PointSlope1 PointSlope12 PointSlope23 GenericODE2 GenericODE1 '
            'GenericAE',
    'Object': 'MassPoint2D Mass1D RotationalMass1D RigidBody2D GenericODE2 GenericODE1 KinematicTree SuperElement FFRF '
              'FFRFreducedOrder ANCFCable ANCFCable2D ALEANCFCable2D ANCFBeam ANCFThinPlate BeamGeometricallyExact2D '
              'BeamGeometricallyExact ConnectorCoordinateSpringDamperExt ConnectorCoordinateVector ConnectorGravity '
              'ConnectorHydraulicActuatorSimple ConnectorLinearSpringDamper ConnectorReevingSystemSprings '
              'ConnectorRigidBodySpringDamper ConnectorRollingDiscPenalty ConnectorTorsionalSpringDamper '
              'ContactConvexRoll ContactCoordinate ContactCircleCable2D ContactCurveCircles '
              'ContactFrictionCircleCable2D ContactSphereSphere ContactSphereTorus ContactSphereTriangle '
              'JointALEMoving2D JointPrismatic2D JointRevolute2D JointRollingDisc JointSliding2D',
    'Marker': 'BodyCable2DShape BodyCable2DCoordinates KinematicTreeRigid NodeCoordinates NodeODE1Coordinate '
              'ObjectODE2Coordinates SuperElementPosition SuperElementRigid',
    'Load': '',
    'Sensor': 'UserFunction SuperElement KinematicTree',
}
_SHORT_NAMES = ('Point2D Point2DS1 Rigid2D Cable2D Beam2D Beam3D CMSobject Cable ALECable2D Rotor1D '
                'CoordinateSpringDamperExt CoordinateVectorConstraint HydraulicActuatorSimple LinearSpringDamper '
                'RigidBodySpringDamper TorsionalSpringDamper RollingDiscPenalty RevoluteJoint2D PrismaticJoint2D '
                'RollingDiscJoint').split()


class _Missing:
    """Stands for a feature that is missing: using it raises NotAvailableError."""

    def __init__(self, name):
        self._name = name

    def __call__(self, *args, **kwargs):
        raise NotAvailableError(f'{self._name} is not available yet')

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        raise NotAvailableError(f'{self._name} is not available yet')

    def __repr__(self):
        return f'<{self._name}: not available yet>'


class _MissingModule(types.ModuleType):
    """A module that can be imported although its features are missing."""
    __path__ = []
    __all__ = []

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _Missing(f'{self.__name__}.{name}')


class TestGlobals:
    """What test scripts share with their runner."""
    useGraphics = False
    performTests = True
    isPerformanceTest = False
    testError = -1
    testResult = -1
    testTolFact = 1
    __test__ = False  # no test class


def _missing_items():
    """Placeholders for the item classes that do not exist yet, by name."""
    names = list(_SHORT_NAMES)
    for prefix, types_ in _LANGUAGE_ITEMS.items():
        names += [prefix + t for t in types_.split()]
    names += ['V' + n for n in names]
    return {n: _Missing(n) for n in names if n not in catena.itemInterface.ITEM_CLASSES}


def install():
    """Makes `import exudyn` and its modules give Catena, in this process."""
    if getattr(sys.modules.get('exudyn'), '_is_catena', False):
        return
    catena._catena.beStrict(False)  # Exudyn accepts more
    # and some of its numbers are others
    catena.SimulationSettings._defaults = {'timeIntegration.explicitIntegration.signedErrorScale': True,
                                           'staticSolver.constrainODE1coordinates': True}
    catena.MainSystem.linearizesWithLoads = False
    exudyn = types.ModuleType('exudyn', catena.__doc__)
    exudyn.__dict__.update({n: v for n, v in catena.__dict__.items() if n not in ('__name__', '__spec__', '__loader__')})
    exudyn.__getattr__ = catena.__getattr__
    exudyn._is_catena = True
    exudyn.__useExudynFast = False
    sys.modules['exudyn'] = exudyn

    missing = _missing_items()
    for name, here in _MODULES.items():
        module = importlib.import_module('catena.' + here)
        if name in ('utilities', 'itemInterface'):
            module.__dict__.update({n: v for n, v in missing.items() if n not in module.__dict__})
        if hasattr(module, '__all__'):
            module.__all__ = sorted({*module.__all__, *(missing if name == 'itemInterface' else ())})
        sys.modules['exudyn.' + name] = module
        parent, _, child = name.rpartition('.')
        setattr(sys.modules['exudyn.' + parent] if parent else exudyn, child, module)
    catena.utilities.exudyn = catena.utilities.exu = exudyn
    for name in _MISSING_MODULES:
        module = _MissingModule('exudyn.' + name)
        sys.modules['exudyn.' + name] = module
        parent, _, child = name.rpartition('.')
        setattr(sys.modules['exudyn.' + parent] if parent else exudyn, child, module)
    _install_language(exudyn)


def _install_language(exudyn):
    """The names of the top level that are missing, and the module of the test runner."""
    for name in ('symbolic', 'MainSolverStatic', 'MainSolverImplicitSecondOrder', 'MainSolverExplicit', 'BeamSection',
                 'BeamSectionGeometry', 'GeneralContact', 'demos'):
        setattr(exudyn, name, _Missing('exudyn.' + name))
    tests = types.ModuleType('modelUnitTests')
    tests.exudynTestGlobals = TestGlobals()
    tests.ExudynTestStructure = TestGlobals
    sys.modules.setdefault('modelUnitTests', tests)


def run(path, arguments=()):
    """Runs a script as __main__; returns its global names."""
    install()
    with open(path, encoding='utf-8') as file:
        code = compile(file.read(), path, 'exec')
    names = {'__name__': '__main__', '__file__': path, '__builtins__': __builtins__}
    before = sys.argv, sys.path[:]
    sys.argv = [path, *arguments]
    sys.path.insert(0, path.rpartition('/')[0] or '.')
    try:
        exec(code, names)
    finally:
        sys.argv, sys.path[:] = before
    return names


def _place(error, path):
    """The last line of the script in a traceback."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    return f'{path}:{frames[-1].lineno}' if frames else path


def main(arguments):
    """Runs the script in the arguments; returns the exit code."""
    if not arguments or arguments[0] in ('-h', '--help'):
        print(__doc__.strip())
        return 0 if arguments else 2
    path = arguments[0]
    try:
        run(path, arguments[1:])
    except NotAvailableError as error:
        print(f'{_place(error, path)}: {error}', file=sys.stderr)
        return 3
    except OSError as error:
        if error.filename != path:
            raise
        print(f'catena.compat: {path}: {error.strerror}', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    from catena import compat  # the module that install() and others see, not __main__
    sys.exit(compat.main(sys.argv[1:]))
