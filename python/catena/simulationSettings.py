"""Settings of the solvers: a tree of attributes, checked when they are set.

    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = 2
    settings.timeIntegration.newton.useModifiedNewton = True
"""

from catena import _catena
from catena.enums import DynamicSolverType, LinearSolverType

_INF = float('inf')

# Settings of the modelling language that change nothing in Catena; accepted with the right type.
_WITHOUT_EFFECT = {
    '': dict(cleanUpMemory=False, displayGlobalTimers=True, outputPrecision=6, pauseAfterEachStep=False),
    'solutionSettings.': dict(
        appendToFile=False, binarySolutionFile=False, coordinatesSolutionFileName='coordinatesSolution',
        exportODE1Velocities=True, flushFilesDOF=10000, flushFilesImmediately=False, recordImagesInterval=-1.,
        restartFileName='restartFile.txt', restartWritePeriod=0.01, sensorsAppendToFile=False,
        sensorsWriteFileFooter=False, sensorsWriteFileHeader=True, solverInformationFileName='solverInformation.txt',
        writeFileFooter=True, writeFileHeader=True, writeRestartFile=False),
    'timeIntegration.': dict(
        absoluteTolerance=1e-8, automaticStepSize=True, computeLoadsJacobian=0, initialStepSize=0.,
        realtimeFactor=1., realtimeWaitMicroseconds=1000, relativeTolerance=1e-8, reuseConstantMassMatrix=True,
        simulateInRealtime=False, stepInformation=67, stepSizeMaxIncrease=2., stepSizeSafety=0.9, verboseModeFile=0),
    'timeIntegration.generalizedAlpha.': dict(
        lieGroupAddTangentOperator=True, lieGroupSimplifiedKinematicRelations=False),
    'timeIntegration.explicitIntegration.': dict(
        computeEndOfStepAccelerations=True, computeMassMatrixInversePerBody=False,
        dynamicSolverType=DynamicSolverType.DOPRI5, eliminateConstraints=True, useLieGroupIntegration=True),
    'linearSolverSettings.': dict(
        ignoreSingularJacobian=False, pivotThreshold=0., reuseAnalyzedPattern=False, showCausingItems=True),
    'parallel.': dict(
        multithreadedLLimitJacobians=20, multithreadedLLimitLoads=20, multithreadedLLimitMassMatrices=20,
        multithreadedLLimitResiduals=20, taskSplitMinItems=50, taskSplitTasksPerThread=16, useLoadBalancing=True),
    'staticSolver.': dict(
        adaptiveStep=True, adaptiveStepDecrease=0.25, adaptiveStepIncrease=2., adaptiveStepRecoveryIterations=7,
        adaptiveStepRecoverySteps=4, computeLoadsJacobian=True, constrainODE1coordinates=True, loadStepDuration=1.,
        loadStepGeometric=False, loadStepGeometricRange=1000., loadStepStart=0., minimumStepSize=1e-8,
        numberOfLoadSteps=1, pauseAfterEachStep=False, stabilizerODE2term=0., stepInformation=67, useLoadFactor=True,
        verboseMode=1, verboseModeFile=0),
}
_DIFFERENTIATION = dict(
    addReferenceCoordinatesToEpsilon=False, doSystemWideDifferentiation=False, forAE=False, forODE2=False,
    forODE2connectors=False, jacobianConnectorDerivative=True, minimumCoordinateSize=1e-2, relativeEpsilon=1e-7)
_NEWTON = dict(
    absoluteTolerance=1e-10, adaptInitialResidual=True, maximumSolutionNorm=1e38, maxIterations=25,
    maxModifiedNewtonIterations=8, maxModifiedNewtonRestartIterations=7, modifiedNewtonContractivity=0.5,
    modifiedNewtonJacUpdatePerStep=False, newtonResidualMode=0, relativeTolerance=1e-8, useModifiedNewton=False,
    useNewtonSolver=True, weightTolerancePerCoordinate=False)
_DISCONTINUOUS = dict(ignoreMaxIterations=True, iterationTolerance=1., maxIterations=5, useRecommendedStepSize=True)
_WITHOUT_EFFECT['timeIntegration.newton.numericalDifferentiation.'] = _DIFFERENTIATION
_WITHOUT_EFFECT['staticSolver.newton.numericalDifferentiation.'] = _DIFFERENTIATION
_WITHOUT_EFFECT['staticSolver.newton.'] = _NEWTON
_WITHOUT_EFFECT['staticSolver.discontinuous.'] = _DISCONTINUOUS

_FIELDS = {f['name']: f for f in _catena.settings()}
_OTHERS = {prefix + name: default for prefix, group in _WITHOUT_EFFECT.items() for name, default in group.items()
           if prefix + name not in _FIELDS}


def _members():
    """Names below every group, by the group's prefix."""
    members = {}
    for path in [*_FIELDS, *_OTHERS]:
        parts = path.split('.')
        for depth in range(len(parts)):
            prefix = ''.join(part + '.' for part in parts[:depth])
            members.setdefault(prefix, {})[parts[depth]] = None
    return members


_MEMBERS = _members()


def _checked(path, value, default):
    """The value for a setting without effect, of the type of its default."""
    kind = type(default)
    if kind in (bool, int) and not isinstance(default, DynamicSolverType):
        good = isinstance(value, (bool, int)) or hasattr(value, '__index__')
        good = good or isinstance(value, float) and value.is_integer()
        if kind is bool:
            good = good and value in (0, 1)
    elif kind is float:
        good = isinstance(value, (int, float)) or hasattr(value, '__float__')
    else:
        good = isinstance(value, kind)
    if not good:
        raise TypeError(f'settings: {path} = {value!r} has the wrong type: expected {kind.__name__}')
    return kind(value)


class SettingsGroup:
    """A group of settings. Setting an unknown name, a wrong type or a value out of range raises an error."""
    __slots__ = ('_root', '_prefix')

    def __init__(self, root, prefix):
        object.__setattr__(self, '_root', root)
        object.__setattr__(self, '_prefix', prefix)

    def _path(self, name):
        if name not in _MEMBERS[self._prefix]:
            near = _catena.nearestName(name, list(_MEMBERS[self._prefix]))
            hint = f"; did you mean '{near}'?" if near else '; known are ' + ' '.join(_MEMBERS[self._prefix])
            raise AttributeError(f"settings: unknown setting '{self._prefix}{name}'{hint}")
        return self._prefix + name

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        path = self._path(name)
        if path + '.' in _MEMBERS:
            return SettingsGroup(self._root, path + '.')
        if path in _OTHERS:
            return self._root._others.get(path, _OTHERS[path])
        value = self._root._core.get(path)
        return LinearSolverType[value] if path == 'linearSolverType' else value

    def __setattr__(self, name, value):
        path = self._path(name)
        if path + '.' in _MEMBERS:
            raise AttributeError(f"settings: '{path}' is a group; set its members")
        if path in _OTHERS:
            self._root._others[path] = _checked(path, value, _OTHERS[path])
        else:
            self._root._core.set(path, value)

    def __dir__(self):
        return list(_MEMBERS[self._prefix])

    def GetDictionary(self):
        """All settings of the group as nested dictionaries."""
        result = {}
        for name in _MEMBERS[self._prefix]:
            value = getattr(self, name)
            result[name] = value.GetDictionary() if isinstance(value, SettingsGroup) else value
        return result

    def SetDictionary(self, dictionary):
        """Sets what nested dictionaries hold."""
        for name, value in dictionary.items():
            if isinstance(value, dict):
                getattr(self, name).SetDictionary(value)
            else:
                setattr(self, name, value)

    def __repr__(self):
        return f'{type(self).__name__}({self.GetDictionary()!r})'


class SimulationSettings(SettingsGroup):
    """All settings of a run; dir() and GetDictionary() list them, SimulationSettings.describe(path) explains one."""
    __slots__ = ('_core', '_others')

    def __init__(self, other=None):
        SettingsGroup.__init__(self, self, '')
        object.__setattr__(self, '_core', _catena.Settings(other._core) if other else _catena.Settings())
        object.__setattr__(self, '_others', dict(other._others) if other else {})

    def copy(self):
        """An independent copy."""
        return SimulationSettings(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @classmethod
    def _from_core(cls, core):
        settings = cls()
        object.__setattr__(settings, '_core', core)
        return settings

    @staticmethod
    def describe(path):
        """Meaning, unit and default of a setting, e.g. 'timeIntegration.endTime'."""
        if path in _OTHERS:
            return f'{path} = {_OTHERS[path]!r}; has no effect in Catena'
        f = _FIELDS[path]
        unit = f" [{f['unit']}]" if f['unit'] else ''
        return f"{path} = {f['default']!r}; {f['description']}{unit}"
