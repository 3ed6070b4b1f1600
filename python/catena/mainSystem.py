"""The model: items, assembly, solution and results."""

import os

import numpy as np

from catena import _catena
from catena.containers import matrix_entries
from catena.createFunctions import CreateFunctions
from catena.enums import ConfigurationType, DynamicSolverType, OutputVariableType
from catena.errors import NotAvailableError
from catena.indices import LoadIndex, MarkerIndex, NodeIndex, ObjectIndex, SensorIndex, number_of
from catena.itemInterface import INDEX_TYPE, TYPES, Item
from catena.simulationSettings import SimulationSettings
from catena.solverReport import SolverReport
from catena.solutionFile import write_sensor_file, write_solution_file, writes_solution
from catena.systemData import CONFIGURATIONS, SystemData
from catena.visualization import OpenSettings

_CATEGORY = _catena.Category.__members__
_STEP_FUNCTIONS = ('preStep', 'postStep', 'postNewton', 'preNewtonResidual', 'systemJacobian')


def _variable_name(variable):
    """Name of an output variable, given as member of OutputVariableType, as its number or as text."""
    if isinstance(variable, str):
        return variable
    name = OutputVariableType(variable).name
    return 'None' if name == '_None' else name


class Parameters(dict):
    """Parameters of an item; older names of parameters find them too."""

    def __init__(self, aliases):
        dict.__init__(self)
        self._aliases = aliases

    def __missing__(self, name):
        if name not in self._aliases:
            raise KeyError(name)
        return self[self._aliases[name]]


class MainSystem(CreateFunctions):
    """A multibody system. Made by SystemContainer.AddSystem() or on its own.

    Items are added with Add...(), made ready with Assemble() and solved with SolveDynamic(). Every Add...() returns
    the index of the item, which other items refer to.
    """
    linearizesWithLoads = True  # default of the functions of linearised systems; catena.compat turns it off

    def __init__(self, container=None):
        self._container = container
        self._clear()
        self.variables = {}
        self.sys = {}
        self.interactiveMode = False
        self.solverSignalJacobianUpdate = False
        self.systemData = SystemData(self)

    def _clear(self):
        self._functions = {}  # owns the Python functions that the core calls
        self._core = _catena.Model()
        self._core.own(self, self._functions)
        self._visualization = {name: {} for name in _CATEGORY}
        self._step_functions = dict.fromkeys(_STEP_FUNCTIONS, 0)
        self._consistent = False

    def Reset(self):
        """Removes all items, user functions and results."""
        self._clear()
        self.variables.clear()
        self.sys.clear()

    def GetSystemContainer(self):
        """The container that holds this system, or None."""
        return self._container

    # --- items -------------------------------------------------------------------------------------------------

    def _add(self, category, item):
        if isinstance(item, Item):
            if item._category != category:
                raise TypeError(f'Add{category.capitalize()} expects a {category}, found {type(item).__name__}')
            type_name, parameters = item._type_name, item.__dict__
            visualization = parameters.get('visualization')
        elif isinstance(item, dict):
            type_name, parameters, visualization = self._from_dict(category, item)
        else:
            raise TypeError(f'Add{category.capitalize()} expects a {category} class or a dictionary, found {item!r}')
        return self._add_parameters(category, type_name, parameters, visualization)

    def _add_parameters(self, category, type_name, parameters, visualization):
        number = self._core.add(_CATEGORY[category], type_name, parameters)
        if visualization:
            self._visualization[category][number] = dict(visualization)
        self._consistent = False
        return INDEX_TYPE[category](number)

    @staticmethod
    def _from_dict(category, item):
        parameters = dict(item)
        key = category + 'Type'
        if key not in parameters:
            raise ValueError(f"{category}: '{key}' is missing; give the type of the item, e.g. "
                             f"'{'Point' if category == 'node' else 'Ground'}'")
        type_name = str(parameters.pop(key))
        visualization = dict(parameters.pop('visualization', None) or {})
        for name in [n for n in parameters if n.startswith('V')]:
            visualization[name[1:]] = parameters.pop(name)
        return type_name, parameters, visualization

    def AddNode(self, item):
        """Adds a node (class or dictionary); returns its NodeIndex."""
        return self._add('node', item)

    def AddObject(self, item):
        """Adds a body, connector or joint; returns its ObjectIndex."""
        return self._add('object', item)

    def AddMarker(self, item):
        """Adds a marker; returns its MarkerIndex."""
        return self._add('marker', item)

    def AddLoad(self, item):
        """Adds a load; returns its LoadIndex."""
        return self._add('load', item)

    def AddSensor(self, item):
        """Adds a sensor; returns its SensorIndex."""
        return self._add('sensor', item)

    def _get(self, category, number):
        core_category = _CATEGORY[category]
        number = number_of(INDEX_TYPE[category], number)
        type_name = self._core.typeName(core_category, number)
        fields = TYPES[category, type_name]._fields
        result = Parameters({f['alias']: name for name, f in fields.items() if f['alias']})
        result.update({category + 'Type': type_name, 'name': self._core.name(core_category, number)})
        for field in fields.values():
            result[field['name']] = self._parameter(category, number, field['name'])
        for name, value in self._visualization[category].get(number, {'show': True}).items():
            result['V' + name] = value
        return result

    def _parameter(self, category, number, name):
        number = number_of(INDEX_TYPE[category], number)
        if name == 'name':
            return self._core.name(_CATEGORY[category], number)
        if name.startswith('V') and name[1:] in self._visualization[category].get(number, {'show': True}):
            return self._visualization[category].get(number, {'show': True})[name[1:]]
        value = self._core.parameter(_CATEGORY[category], number, name)
        if name == 'outputVariableType':
            return OutputVariableType['_None' if value == 'None' else value]
        return value

    def _set_parameter(self, category, number, name, value):
        number = number_of(INDEX_TYPE[category], number)
        if name.startswith('V') and not hasattr(TYPES[category, self._core.typeName(_CATEGORY[category], number)], name):
            self._visualization[category].setdefault(number, {})[name[1:]] = value
        else:
            self._core.setParameter(_CATEGORY[category], number, name, value)

    def _modify(self, category, number, dictionary):
        for name, value in dictionary.items():
            if name not in (category + 'Type', 'name'):
                self._set_parameter(category, number, name, value)
        self._consistent = False

    def _find(self, category, name):
        number = self._core.find(_CATEGORY[category], name)
        if number < 0:
            raise ValueError(f"there is no {category} with the name '{name}'")
        return INDEX_TYPE[category](number)

    # --- removal -----------------------------------------------------------------------------------------------

    def DeleteNode(self, nodeNumber, suppressWarnings=False):
        """Removes a node. Those behind it move up by one number; what referred to it refers to none (-1)."""
        self._remove({'node': {number_of(NodeIndex, nodeNumber)}})

    def DeleteMarker(self, markerNumber, suppressWarnings=False):
        """Removes a marker, see DeleteNode."""
        self._remove({'marker': {number_of(MarkerIndex, markerNumber)}})

    def DeleteSensor(self, sensorNumber, suppressWarnings=False):
        """Removes a sensor, see DeleteNode."""
        self._remove({'sensor': {number_of(SensorIndex, sensorNumber)}})

    def DeleteLoad(self, loadNumber, deleteDependentMarkers=True, suppressWarnings=False):
        """Removes a load, and its marker if nothing else uses it."""
        removed = {'load': {number_of(LoadIndex, loadNumber)}}
        self._remove(self._with_unused(removed, 'marker') if deleteDependentMarkers else removed)

    def DeleteObject(self, objectNumber, deleteDependentItems=True, suppressWarnings=False):
        """Removes an object, and with deleteDependentItems all that refers to it (markers, connectors and loads on
        them, sensors) and the nodes that nothing else uses."""
        removed = {'object': {number_of(ObjectIndex, objectNumber)}}
        self._remove(self._with_unused(self._with_users(removed), 'node') if deleteDependentItems else removed)

    def _items(self):
        """Category and number of every item."""
        return [(name, number) for name, core in _CATEGORY.items() for number in range(self._core.count(core))]

    def _references(self, category, number):
        """Category and number of every item that an item refers to."""
        fields = TYPES[category, self._core.typeName(_CATEGORY[category], number)]._fields.values()
        for field in fields:
            if field['kind'] in ('index', 'indexList'):
                value = self._core.parameter(_CATEGORY[category], number, field['name'])
                numbers = value if field['kind'] == 'indexList' else [value]
                yield from ((field['category'], n) for n in numbers if n >= 0)

    def _with_users(self, removed):
        """The items and all that refer to them, directly or through others."""
        users = {}
        for item in self._items():
            for target in self._references(*item):
                users.setdefault(target, []).append(item)
        waiting = [(category, number) for category, numbers in removed.items() for number in numbers]
        found = set(waiting)
        while waiting:
            new = [user for user in users.get(waiting.pop(), ()) if user not in found]
            found.update(new)
            waiting += new
        return {name: {n for c, n in found if c == name} for name in _CATEGORY}

    def _with_unused(self, removed, category):
        """The items and those of a category that only they refer to."""
        used = {target for item in self._items() if item[1] not in removed.get(item[0], ())
                for target in self._references(*item)}
        left = {n for name, numbers in removed.items() for number in numbers
                for c, n in self._references(name, number) if c == category and (c, n) not in used}
        return {**removed, category: removed.get(category, set()) | left}

    def _remove(self, removed):
        """Builds the items anew without those removed."""
        kept = {name: [n for n in range(self._core.count(core)) if n not in removed.get(name, ())]
                for name, core in _CATEGORY.items()}
        for name, numbers in removed.items():
            for number in numbers:
                self._core.typeName(_CATEGORY[name], number)  # refuses numbers of no item
        new_number = {name: {old: new for new, old in enumerate(numbers)} for name, numbers in kept.items()}
        items = [(name, *self._moved(name, number, new_number)) for name, numbers in kept.items() for number in numbers]
        step_functions = self._step_functions
        self._clear()
        self._step_functions = step_functions
        for item in items:
            self._add_parameters(*item)

    def _moved(self, category, number, new_number):
        """Type, parameters and visualization of an item, with the new numbers of what it refers to."""
        type_name = self._core.typeName(_CATEGORY[category], number)
        parameters = {'name': self._core.name(_CATEGORY[category], number)}
        for field in TYPES[category, type_name]._fields.values():
            value = self._core.parameter(_CATEGORY[category], number, field['name'])
            if field['kind'] == 'index':
                value = new_number[field['category']].get(value, -1)
            elif field['kind'] == 'indexList':
                value = [new_number[field['category']].get(n, -1) for n in value]
            parameters[field['name']] = value
        return type_name, parameters, self._visualization[category].get(number)

    @staticmethod
    def _defaults(category, type_name):
        if (category, type_name) not in TYPES:
            raise ValueError(f"unknown {category} type '{type_name}'")
        return dict(TYPES[category, type_name]())

    # --- assembly ----------------------------------------------------------------------------------------------

    @property
    def systemIsConsistent(self):
        """True after Assemble() until an item is added."""
        return self._consistent

    @systemIsConsistent.setter
    def systemIsConsistent(self, value):
        self._consistent = bool(value)

    def Assemble(self):
        """Checks the model and sets the initial state; ValueError tells what is wrong with which item."""
        self._core.assemble()
        self._consistent = True

    def AssembleCoordinates(self):
        """Part of Assemble() in other programs; here Assemble() does all at once."""
        self.Assemble()

    def AssembleLTGLists(self):
        """See AssembleCoordinates()."""

    AssembleInitializeSystemCoordinates = AssembleLTGLists
    AssembleSystemInitialize = AssembleLTGLists

    def SendRedrawSignal(self):
        """For viewers; does nothing without one."""

    def ActivateRendering(self, flag=True):
        """For viewers; does nothing without one."""

    def GetRenderEngineStopFlag(self):
        """True if a viewer asked to stop; there is none."""
        return False

    def SetRenderEngineStopFlag(self, stopFlag):
        """For viewers; does nothing without one."""

    # --- user functions of the system --------------------------------------------------------------------------

    def SetPreStepUserFunction(self, value):
        """f(mbs, t) -> bool, called before every step with t at its end; False stops after the step. 0 removes it."""
        self._step_functions['preStep'] = value

    def SetPostStepUserFunction(self, value):
        """f(mbs, t) -> bool, called after every step, before its output; False stops. 0 removes it."""
        self._step_functions['postStep'] = value

    def SetPostNewtonUserFunction(self, value):
        """f(mbs, t) -> [error, recommendedStepSize], called after every Newton run; 0 removes it."""
        self._step_functions['postNewton'] = value

    def SetPreNewtonResidualUserFunction(self, value):
        """f(mbs, t, newtonIt, discontinuousIt), called before every residual of implicit and static solvers, to set
        loads or parameters that depend on the state under way; 0 removes it.

        newtonIt counts the residuals of a Newton run and discontinuousIt the runs of a step, both from 0.
        SetSystemJacobianUserFunction adds what the matrix misses.
        """
        self._step_functions['preNewtonResidual'] = value

    def SetSystemJacobianUserFunction(self, value):
        """f(mbs, t, factorODE2, factorODE2_t, factorODE1) -> MatrixContainer or array that is added to the matrix of
        Newton's method; 0 removes it.

        Derivatives of forces (so of a spring -k) by coordinates times factorODE2, by velocities times factorODE2_t, by
        coordinates of first order times factorODE1. Rows and columns are places in ODE2 coordinates, then in ODE1
        coordinates (GetNodeODE2Index). Entries between coordinates that no item couples are left out; a spring without
        stiffness couples them.
        """
        self._step_functions['systemJacobian'] = value

    def GetPreStepUserFunction(self, asDict=False):
        """The function that was set, or 0."""
        return self._step_functions['preStep']

    def GetPostStepUserFunction(self, asDict=False):
        """The function that was set, or 0."""
        return self._step_functions['postStep']

    def GetPostNewtonUserFunction(self, asDict=False):
        """The function that was set, or 0."""
        return self._step_functions['postNewton']

    def GetPreNewtonResidualUserFunction(self, asDict=False):
        """The function that was set, or 0."""
        return self._step_functions['preNewtonResidual']

    def GetSystemJacobianUserFunction(self, asDict=False):
        """The function that was set, or 0."""
        return self._step_functions['systemJacobian']

    # --- solution ----------------------------------------------------------------------------------------------

    def SolveDynamic(self, simulationSettings=None, solverType=DynamicSolverType.GeneralizedAlpha,
                     updateInitialValues=False, storeSolver=True, showHints=False, showCausingItems=True,
                     autoAssemble=True):
        """Integrates from the initial state over timeIntegration.startTime .. endTime.

        simulationSettings: SimulationSettings, None = defaults (1 s in 100 steps).
        solverType: GeneralizedAlpha, TrapezoidalIndex2 (Newmark with constraints on velocity level), or one of the
        explicit ones: ExplicitEuler, ExplicitMidpoint, RK33, RK44, RK67, ODE23 and DOPRI5 (with error control if
        timeIntegration.automaticStepSize), VelocityVerlet.
        updateInitialValues: the final state becomes the initial state of the next run.
        storeSolver: keep a report in mbs.sys['dynamicSolver'].
        Returns True; raises ValueError when the integration fails and UserFunctionError when a user function does.
        """
        settings = self._settings(simulationSettings)
        solverType = DynamicSolverType(solverType)
        solver = 'dynamic'
        if solverType == DynamicSolverType.TrapezoidalIndex2:
            settings = settings.copy()
            settings.timeIntegration.generalizedAlpha.useNewmark = True
            settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
        elif solverType == DynamicSolverType.DVERK6:
            raise NotAvailableError('solver DVERK6 is not available; use RK67 or DOPRI5')
        elif solverType != DynamicSolverType.GeneralizedAlpha:
            solver = f'explicit:{solverType.name}'
        return self._solve('SolveDynamic', solver, settings, updateInitialValues, storeSolver, autoAssemble)

    def SolveStatic(self, simulationSettings=None, updateInitialValues=False, storeSolver=True, showHints=False,
                    showCausingItems=True, autoAssemble=True):
        """Static equilibrium by load steps, from the initial state, with the settings of staticSolver.

        Loads without user function grow with the load step. Arguments, result and errors as those of SolveDynamic; the
        report is mbs.sys['staticSolver'].
        """
        return self._solve('SolveStatic', 'static', self._settings(simulationSettings), updateInitialValues,
                           storeSolver, autoAssemble)

    def _solve(self, function, solver, settings, updateInitialValues, storeSolver, autoAssemble):
        self._assemble_if_needed(autoAssemble)
        self.sys['simulationSettings'] = settings
        functions = {name: f for name, f in self._step_functions.items() if f}
        if 'systemJacobian' in functions:
            jacobian = functions['systemJacobian']
            functions['systemJacobian'] = lambda *arguments: matrix_entries(jacobian(*arguments))
        report = SolverReport(self._core, settings, solver)
        if storeSolver:
            self.sys['staticSolver' if solver == 'static' else 'dynamicSolver'] = report
        keep = writes_solution(settings)
        try:
            figures = self._core.solve(solver, settings._core, functions, updateInitialValues, keep)
        finally:
            self._write_sensor_files(settings)
            if keep:
                write_solution_file(self, settings)
        report.finish(figures)
        if figures['outcome'] == 'not converged':
            raise ValueError(f"{function}: {figures['message']}")
        return True

    def _settings(self, settings):
        if settings is None:
            return SimulationSettings()
        if not isinstance(settings, SimulationSettings):
            raise TypeError(f'simulationSettings must be of class SimulationSettings, found {settings!r}')
        return settings

    def _assemble_if_needed(self, allowed):
        if self._consistent and self._core.assembled:
            return
        if not allowed:
            raise ValueError('the system is not assembled; call Assemble() after the last item was added')
        self.Assemble()

    def _write_sensor_files(self, settings):
        if not settings.solutionSettings.sensorsStoreAndWriteFiles:
            return
        for number in range(self._core.count(_CATEGORY['sensor'])):
            file_name = self._core.parameter(_CATEGORY['sensor'], number, 'fileName')
            if file_name and self._core.parameter(_CATEGORY['sensor'], number, 'writeToFile'):
                write_sensor_file(self, number, file_name, settings)

    # --- linearised equations ----------------------------------------------------------------------------------

    def ComputeODE2Eigenvalues(self, simulationSettings=None, useSparseSolver=False, numberOfEigenvalues=0,
                               constrainedCoordinates=(), convert2Frequencies=False, useAbsoluteValues=True,
                               computeComplexEigenvalues=False, ignoreAlgebraicEquations=False,
                               singularValuesTolerance=1e-12, autoAssemble=True, ignoreLoads=None):
        """Eigenvalues and eigenvectors of the linearised system at the initial state, constraints kept.

        useSparseSolver: shift-invert; systems with more than 1000 unknowns take it anyway.
        numberOfEigenvalues: how many of the smallest; 0 = all, of the sparse solver 10.
        constrainedCoordinates: numbers of coordinates that are held besides the constraints of the model.
        convert2Frequencies: frequencies [Hz] instead of squared angular frequencies [rad^2/s^2].
        useAbsoluteValues: magnitudes, sorted by them.
        computeComplexEigenvalues: exponents of the damped system [rad/s].
        ignoreAlgebraicEquations: leave the constraints of the model out.
        ignoreLoads: of the system without loads and the reactions to them, whose stiffness is part of it otherwise;
        under catena.compat that is the default.
        Returns (values, vectors); vectors has a column of coordinates (ODE2Size) for every value. simulationSettings
        and singularValuesTolerance are accepted for scripts and change nothing.
        """
        if convert2Frequencies and computeComplexEigenvalues:
            raise ValueError('ComputeODE2Eigenvalues: convert2Frequencies is not possible with '
                             'computeComplexEigenvalues, whose imaginary parts are angular frequencies')
        self._settings(simulationSettings)
        self._assemble_if_needed(autoAssemble)
        options = _catena.EigenvalueOptions()
        options.numberOfEigenvalues = numberOfEigenvalues
        options.computeComplexEigenvalues = computeComplexEigenvalues
        options.useAbsoluteValues = useAbsoluteValues
        options.useSparseSolver = useSparseSolver
        options.constrainedCoordinates = [int(c) for c in constrainedCoordinates]
        options.ignoreAlgebraicEquations = ignoreAlgebraicEquations
        options.ignoreLoads = self._ignores_loads(ignoreLoads)
        values, vectors = self._core.eigenvalues(options)
        if not values.imag.any() and (useAbsoluteValues or not computeComplexEigenvalues):
            values = values.real
        if not vectors.imag.any() and not computeComplexEigenvalues:
            vectors = vectors.real
        if convert2Frequencies:
            values = np.sqrt(values) / (2 * np.pi)
        return values, vectors

    def ComputeLinearizedSystem(self, simulationSettings=None, projectIntoConstraintNullspace=False,
                                singularValuesTolerance=1e-12, returnConstraintJacobian=False,
                                returnConstraintNullspace=False, autoAssemble=True, ignoreLoads=None):
        """Matrices [M, K, D] of M u'' + D u' + K u + C lambda = 0 for small motions u about the initial state.

        u are increments of the unknowns: of the coordinates, but six per rigid node (translation in world axes,
        rotation in body axes). projectIntoConstraintNullspace: N M N^T and so on, where the rows of N span the motions
        that the constraints allow. singularValuesTolerance: relative, of the rank of the constraints, at least 1e-10.
        returnConstraintJacobian, returnConstraintNullspace: append C [unknowns x constraints] and N. ignoreLoads: see
        ComputeODE2Eigenvalues.
        """
        self._settings(simulationSettings)
        self._assemble_if_needed(autoAssemble)
        system = self._core.linearized(max(singularValuesTolerance, 1e-10), self._ignores_loads(ignoreLoads))
        N = system['N'].T
        matrices = [system[name] for name in ('M', 'K', 'D')]
        if projectIntoConstraintNullspace:
            matrices = [N @ m @ N.T for m in matrices]
        if returnConstraintJacobian:
            matrices.append(system['C'].T)
        if returnConstraintNullspace:
            matrices.append(N)
        return matrices

    def _ignores_loads(self, given):
        return not self.linearizesWithLoads if given is None else given

    def ComputeSystemDegreeOfFreedom(self, simulationSettings=None, threshold=1e-12, verbose=False, useSVD=False,
                                     autoAssemble=True):
        """Degrees of freedom of the constraints at the initial state.

        Returns a dictionary: degreeOfFreedom, redundantConstraints, nODE2 and nODE1 (unknowns), nAE (multipliers),
        nPureAE (those of switched-off constraints). threshold and useSVD are accepted for scripts and change nothing.
        """
        self._settings(simulationSettings)
        self._assemble_if_needed(autoAssemble)
        result = self._core.degreesOfFreedom()
        if verbose:
            from catena.output import Print
            Print(', '.join(f'{name} = {value}' for name, value in result.items()))
        return result

    def SolutionViewer(self, *args, **kwargs):
        """There is no viewer yet."""
        raise NotAvailableError('SolutionViewer is not available yet; use PlotSensor or the stored sensor data')

    def AddGeneralContact(self):
        """Not available yet."""
        raise NotAvailableError('AddGeneralContact is not available yet')

    def PlotSensor(self, *args, **kwargs):
        """Plots sensors, see catena.plot.PlotSensor."""
        from catena.plot import PlotSensor
        return PlotSensor(self, *args, **kwargs)

    def DrawSystemGraph(self, *args, **kwargs):
        """Draws which items refer to which, see catena.plot.DrawSystemGraph."""
        from catena.plot import DrawSystemGraph
        return DrawSystemGraph(self, *args, **kwargs)

    # --- results -----------------------------------------------------------------------------------------------

    def GetNodeOutput(self, nodeNumber, variableType, configuration=ConfigurationType.Current):
        """Output of a node: float for one component, else array."""
        number, variable = number_of(NodeIndex, nodeNumber), _variable_name(variableType)
        if not self._core.assembled and configuration == ConfigurationType.Reference:
            return self._reference_output('node', number, variable)
        return self._core.nodeOutput(number, variable, CONFIGURATIONS[configuration])

    def GetObjectOutput(self, objectNumber, variableType, configuration=ConfigurationType.Current):
        """Output of a connector or joint, or of a body at its reference point."""
        return self._core.objectOutput(number_of(ObjectIndex, objectNumber), _variable_name(variableType),
                                       CONFIGURATIONS[configuration])

    def GetObjectOutputBody(self, objectNumber, variableType, localPosition=(0, 0, 0),
                            configuration=ConfigurationType.Current):
        """Output of a body at localPosition [3] (m, body axes)."""
        number, variable = number_of(ObjectIndex, objectNumber), _variable_name(variableType)
        if not self._core.assembled and configuration == ConfigurationType.Reference:
            return self._reference_output('object', number, variable, localPosition)
        return self._core.bodyOutput(number, variable, localPosition, CONFIGURATIONS[configuration])

    def GetMarkerOutput(self, markerNumber, variableType, configuration=ConfigurationType.Current):
        """Output of a marker."""
        return self._core.markerOutput(number_of(MarkerIndex, markerNumber), _variable_name(variableType),
                                       CONFIGURATIONS[configuration])

    def GetLoadValues(self, loadNumber):
        """Current value of a load: float, or array [3]."""
        return self._core.loadValue(number_of(LoadIndex, loadNumber))

    def GetSensorValues(self, sensorNumber, configuration=ConfigurationType.Current):
        """Current value of a sensor."""
        return self._core.sensorOutput(number_of(SensorIndex, sensorNumber), CONFIGURATIONS[configuration])

    def GetSensorStoredData(self, sensorNumber):
        """Values of a sensor over the last run: array, one row [t, values...] per output time."""
        return self._core.sensorRows(number_of(SensorIndex, sensorNumber))

    def _reference_output(self, category, number, variable, local=(0, 0, 0)):
        """Pose in the reference configuration before Assemble()."""
        position, rotation = self._core.referenceFrame(_CATEGORY[category], number)
        if variable == 'Position':
            return position + rotation @ np.asarray(local, float)
        if variable == 'RotationMatrix':
            return rotation.ravel()
        raise ValueError(f'{variable} in the reference configuration needs Assemble() first')

    def GetNodeODE2Index(self, nodeNumber):
        """Position of the node's first coordinate in the vector of all coordinates."""
        return self._core.nodePlace(number_of(NodeIndex, nodeNumber))['ODE2'][0]

    def GetNodeAEIndex(self, nodeNumber):
        """-1: nodes have no multipliers of their own."""
        number_of(NodeIndex, nodeNumber)
        return -1

    def GetNodeODE1Index(self, nodeNumber):
        """Position of the node's first coordinate of first order."""
        return self._core.nodePlace(number_of(NodeIndex, nodeNumber))['ODE1'][0]

    # --- copies -----------------------------------------------------------------------------------------------

    def GetDictionary(self):
        """All items, functions of the system and mbs.variables as a dictionary; with functions that pickle can store,
        pickle.dumps(mbs) does the same."""
        items = {name + 's': [dict(self._get(name, number)) for number in range(self._core.count(core))]
                 for name, core in _CATEGORY.items()}
        return {**items, 'stepFunctions': dict(self._step_functions), 'variables': dict(self.variables)}

    def SetDictionary(self, dictionary):
        """Replaces everything by what GetDictionary() of a system gave; call Assemble() then."""
        self.Reset()
        for category in _CATEGORY:
            for item in dictionary[category + 's']:
                self._add(category, item)
        self._step_functions.update(dictionary['stepFunctions'])
        self.variables.update(dictionary['variables'])

    def __getstate__(self):
        return self.GetDictionary()

    def __setstate__(self, dictionary):
        self.__init__()
        self.SetDictionary(dictionary)

    @staticmethod
    def GetAvailableFactoryItems():
        """Names of all types of items by category."""
        names = {category: [] for category in _CATEGORY}
        for category, name in TYPES:
            if not name.startswith(category.capitalize()):
                names[category].append(name)
        return {category.capitalize(): sorted(all_) for category, all_ in names.items()}

    # --- files -------------------------------------------------------------------------------------------------

    def ToJson(self, path, simulationSettings=None, name=''):
        """Writes the model (and settings) as a JSON file that `catena run` and FromJson read, bit for bit."""
        self._core.toJson(os.fspath(path), self._settings(simulationSettings)._core, name)

    def __repr__(self):
        counts = ', '.join(f'{self._core.count(c)} {name}s' for name, c in _CATEGORY.items())
        return f'<MainSystem: {counts}{", assembled" if self._consistent else ""}>'


def _add_item_functions():
    """GetNode, GetNodeParameter, ... for every category."""
    templates = {
        'Get{}': (lambda c: lambda self, number: self._get(c, number), 'All parameters as a dictionary.'),
        'Get{}Number': (lambda c: lambda self, name: self._find(c, name), 'Index of the item with this name.'),
        'Get{}Defaults': (lambda c: staticmethod(lambda typeName: MainSystem._defaults(c, typeName)),
                          'Parameters of a type with their defaults.'),
        'Get{}Parameter': (lambda c: lambda self, number, parameterName: self._parameter(c, number, parameterName),
                           'Value of one parameter.'),
        'Set{}Parameter': (lambda c: lambda self, number, parameterName, value:
                           self._set_parameter(c, number, parameterName, value), 'Changes one parameter.'),
        'Modify{}': (lambda c: lambda self, number, dictionary: self._modify(c, number, dictionary),
                     'Changes the parameters in a dictionary.')}
    for category in _CATEGORY:
        for template, (make, text) in templates.items():
            name = template.format(category.capitalize())
            function = make(category)
            plain = function.__func__ if isinstance(function, staticmethod) else function
            plain.__name__, plain.__doc__ = name, text
            setattr(MainSystem, name, function)


_add_item_functions()


def _get_object_with_graphics(self, objectNumber, addGraphicsData=False):
    """All parameters as a dictionary."""
    return self._get('object', objectNumber)


MainSystem.GetObject = _get_object_with_graphics


class Renderer:
    """Stands where a viewer would be: accepts the calls of scripts and does nothing."""

    def Start(self, verbose=0, fullscreen=False):
        """There is no viewer: False."""
        return False

    def IsActive(self):
        """False."""
        return False

    def _nothing(self, *args, **kwargs):
        """Does nothing."""

    Stop = Attach = Detach = DoIdleTasks = SetState = ZoomAll = RedrawAndSaveImage = SetModelView = _nothing

    def GetState(self):
        """An empty dictionary."""
        return {}


class SystemContainer:
    """Holds systems and the settings of their visualization."""

    def __init__(self):
        self._systems = []
        self.visualizationSettings = OpenSettings()
        self.renderer = Renderer()

    def AddSystem(self):
        """Makes a new MainSystem."""
        self._systems.append(MainSystem(self))
        return self._systems[-1]

    def Append(self, mbs):
        """Adds an existing system; returns its number."""
        self._systems.append(mbs)
        mbs._container = self
        return len(self._systems) - 1

    def NumberOfSystems(self):
        """Number of systems."""
        return len(self._systems)

    def GetSystem(self, systemNumber):
        """System by its number."""
        return self._systems[systemNumber]

    def TimeIntegrationSolve(self, mbs, solverName, simulationSettings=None):
        """Older form of mbs.SolveDynamic(simulationSettings)."""
        if solverName != 'GeneralizedAlpha':
            raise NotAvailableError(f"solver '{solverName}' is not available yet; use 'GeneralizedAlpha'")
        return mbs.SolveDynamic(simulationSettings)

    def Reset(self):
        """Removes all systems."""
        for mbs in self._systems:
            mbs.Reset()
        self._systems.clear()


def FromJson(path, container=None):
    """Reads a JSON model; returns (mbs, simulationSettings)."""
    mbs = MainSystem(container)
    settings = SimulationSettings._from_core(mbs._core.fromJson(os.fspath(path)))
    return mbs, settings
