"""Access to the coordinates of a system."""

import numpy as np

from catena import _catena
from catena.enums import ConfigurationType
from catena.indices import LoadIndex, NodeIndex, ObjectIndex, number_of

CONFIGURATIONS = {
    ConfigurationType._None: _catena.Configuration.current,
    ConfigurationType.Initial: _catena.Configuration.initial,
    ConfigurationType.Current: _catena.Configuration.current,
    ConfigurationType.Reference: _catena.Configuration.reference,
    ConfigurationType.StartOfStep: _catena.Configuration.startOfStep,
    ConfigurationType.Visualization: _catena.Configuration.current,
}
_CURRENT = ConfigurationType.Current
_PART = _catena.Part.__members__
_CATEGORY = _catena.Category.__members__


class SystemData:
    """Coordinates, sizes and times of a system, mbs.systemData.

    ODE2: coordinates q of second order (m, rad, ...) as displacements from the reference configuration, with
    velocities _t and accelerations _tt; ODE1: of first order; AE: Lagrange multipliers; Data: history variables.
    All are arrays over the whole system, node by node; the configuration chooses the state.
    """

    def __init__(self, mbs):
        import weakref
        self._mbs = weakref.ref(mbs)

    @property
    def _core(self):
        return self._mbs()._core

    def _get(self, part, configuration):
        return self._core.coordinates(_PART[part], CONFIGURATIONS[configuration])

    def _set(self, part, values, configuration):
        self._core.setCoordinates(_PART[part], values, CONFIGURATIONS[configuration])

    def _reference(self):
        """Reference coordinates of all nodes."""
        core = self._core
        q = np.zeros(len(self._get('q', _CURRENT)))
        for node in range(self.NumberOfNodes()):
            start, size = core.nodePlace(node)['ODE2']
            if size:
                q[start:start + size] = core.parameter(_CATEGORY['node'], node, 'referenceCoordinates')
        return q

    # --- sizes -------------------------------------------------------------------------------------------------

    def NumberOfNodes(self):
        """Number of nodes."""
        return self._core.count(_CATEGORY['node'])

    def NumberOfObjects(self):
        """Number of objects."""
        return self._core.count(_CATEGORY['object'])

    def NumberOfMarkers(self):
        """Number of markers."""
        return self._core.count(_CATEGORY['marker'])

    def NumberOfLoads(self):
        """Number of loads."""
        return self._core.count(_CATEGORY['load'])

    def NumberOfSensors(self):
        """Number of sensors."""
        return self._core.count(_CATEGORY['sensor'])

    def ODE2Size(self, configurationType=_CURRENT):
        """Number of coordinates of second order."""
        return len(self._get('q', _CURRENT))

    def ODE1Size(self, configurationType=_CURRENT):
        """Number of coordinates of first order."""
        return len(self._get('y', _CURRENT))

    def AEsize(self, configurationType=_CURRENT):
        """Number of Lagrange multipliers. Those that keep Euler parameters at unit norm are not among them."""
        return len(self._get('multipliers', _CURRENT))

    def DataSize(self, configurationType=_CURRENT):
        """Number of history variables."""
        return len(self._get('data', _CURRENT))

    def SystemSize(self, configurationType=_CURRENT):
        """Sum of the sizes of ODE2, ODE1 and AE."""
        return self.ODE2Size() + self.ODE1Size() + self.AEsize()

    # --- time and state ----------------------------------------------------------------------------------------

    def GetTime(self, configuration=_CURRENT):
        """Time of a configuration [s]."""
        return self._core.time(CONFIGURATIONS[configuration])

    def SetTime(self, newTime, configuration=_CURRENT):
        """Sets the time of a configuration [s]."""
        self._core.setTime(newTime, CONFIGURATIONS[configuration])

    def GetODE2Coordinates(self, configuration=_CURRENT, copy=True):
        """Coordinates of second order; those of Reference are the reference coordinates themselves."""
        return self._reference() if configuration == ConfigurationType.Reference else self._get('q', configuration)

    def GetODE2CoordinatesTotal(self, configuration=_CURRENT):
        """Coordinates of second order plus reference coordinates."""
        if configuration == ConfigurationType.Reference:
            return self._reference()
        return self._get('q', configuration) + self._reference()

    def GetSystemState(self, configuration=_CURRENT):
        """[ODE2, ODE2_t, ODE1, AE, Data]."""
        return [self._get(part, configuration) for part in ('q', 'v', 'y', 'multipliers', 'data')]

    def SetSystemState(self, systemStateList, configuration=_CURRENT):
        """Sets [ODE2, ODE2_t, ODE1, AE, Data]."""
        for part, values in zip(('q', 'v', 'y', 'multipliers', 'data'), systemStateList):
            self._set(part, values, configuration)

    def GetSystemStateDict(self, configuration=_CURRENT, reference=False):
        """The state as a dictionary by name."""
        names = {'ODE2Coords': 'q', 'ODE2Coords_t': 'v', 'ODE2Coords_tt': 'a', 'ODE1Coords': 'y', 'ODE1Coords_t': 'ydot',
                 'AECoords': 'multipliers', 'dataCoords': 'data'}
        return {name: self._get(part, configuration) for name, part in names.items()}

    # --- places in the global vectors --------------------------------------------------------------------------

    def _node_places(self, node, kind):
        start, size = self._core.nodePlace(number_of(NodeIndex, node))[kind]
        return list(range(start, start + size))

    def GetNodeLTGODE2(self, nodeNumber):
        """Places of the node's coordinates of second order."""
        return self._node_places(nodeNumber, 'ODE2')

    def GetNodeLTGODE1(self, nodeNumber):
        """Places of the node's coordinates of first order."""
        return self._node_places(nodeNumber, 'ODE1')

    def GetNodeLTGData(self, nodeNumber):
        """Places of the node's history variables."""
        return self._node_places(nodeNumber, 'Data')

    def GetNodeLTGAE(self, nodeNumber):
        """Places of the node's multipliers: none, nodes have no equations of their own."""
        number_of(NodeIndex, nodeNumber)
        return []

    def GetObjectLTGAE(self, objectNumber):
        """Places of the object's Lagrange multipliers."""
        start, size = self._core.multipliersOf(number_of(ObjectIndex, objectNumber))
        return list(range(start, start + size))

    def _object_places(self, number, kind):
        parameters = self._mbs().GetObject(number)
        nodes = parameters.get('nodeNumbers', [parameters.get('nodeNumber', -1)])
        return [place for node in nodes if node >= 0 for place in self._node_places(int(node), kind)]

    def GetObjectLTGODE2(self, objectNumber):
        """Places of the coordinates of second order of the object's nodes."""
        return self._object_places(objectNumber, 'ODE2')

    def GetObjectLTGODE1(self, objectNumber):
        """Places of the coordinates of first order of the object's nodes."""
        return self._object_places(objectNumber, 'ODE1')

    def GetObjectLTGData(self, objectNumber):
        """Places of the history variables of the object's nodes."""
        return self._object_places(objectNumber, 'Data')

    def AddODE2LoadDependencies(self, loadNumber, globalODE2coordinates):
        """Accepted for scripts and without effect: the tangent has no derivatives of loads by Python functions. Where that
        costs too many iterations, mbs.SetSystemJacobianUserFunction adds them."""
        self._core.name(_CATEGORY['load'], number_of(LoadIndex, loadNumber))  # refuses numbers of no load

    def InfoLTG(self):
        """Places of the coordinates and multipliers of all items as text."""
        lines = [f'node {i}: ODE2 {self.GetNodeLTGODE2(i)}, ODE1 {self.GetNodeLTGODE1(i)}, data {self.GetNodeLTGData(i)}'
                 for i in range(self.NumberOfNodes())]
        lines += [f'object {i}: ODE2 {self.GetObjectLTGODE2(i)}, ODE1 {self.GetObjectLTGODE1(i)}, '
                  f'AE {self.GetObjectLTGAE(i)}, data {self.GetObjectLTGData(i)}' for i in range(self.NumberOfObjects())]
        return '\n'.join(lines)

    def Info(self):
        """Sizes as text."""
        return (f'ODE2 {self.ODE2Size()}, ODE1 {self.ODE1Size()}, AE {self.AEsize()}, data {self.DataSize()}, '
                f'nodes {self.NumberOfNodes()}, objects {self.NumberOfObjects()}, markers {self.NumberOfMarkers()}, '
                f'loads {self.NumberOfLoads()}, sensors {self.NumberOfSensors()}')


def _add_access():
    for name, part, text in (
            ('ODE2Coordinates', 'q', 'coordinates of second order'),
            ('ODE2Coordinates_t', 'v', 'velocities'), ('ODE2Coordinates_tt', 'a', 'accelerations'),
            ('ODE1Coordinates', 'y', 'coordinates of first order'),
            ('ODE1Coordinates_t', 'ydot', 'rates of the coordinates of first order'),
            ('AECoordinates', 'multipliers', 'Lagrange multipliers'), ('DataCoordinates', 'data', 'history variables')):
        def getter(self, configuration=_CURRENT, copy=True, _part=part):
            return self._get(_part, configuration)

        def setter(self, coordinates, configuration=_CURRENT, _part=part):
            self._set(_part, coordinates, configuration)

        getter.__doc__, setter.__doc__ = f'The {text} as an array.', f'Sets the {text}.'
        if not hasattr(SystemData, 'Get' + name):
            setattr(SystemData, 'Get' + name, getter)
        setattr(SystemData, 'Set' + name, setter)


_add_access()
