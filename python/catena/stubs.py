"""Writes type stubs: python3 -m catena.stubs DIRECTORY.

Much of the package only exists once the registry of items and settings is read: item classes, settings, output
variables, functions like GetNodeParameter. The stubs tell type checkers and editors about them.
"""

import inspect
import os
import sys
from enum import IntEnum

import numpy as np

from catena import enums, mainSystem, simulationSettings, systemData
from catena.itemInterface import CATEGORIES, ITEM_CLASSES, Item

_HEADER = '''# Made by catena.stubs from the registry of items and settings.
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, Optional, Union

import numpy as np

_Vector = Union[Sequence[float], np.ndarray]
_Matrix = Union[Sequence[Sequence[float]], Sequence[np.ndarray], np.ndarray]
_Function = Union[Callable[..., Any], str, Sequence[str], int]
'''

# --- items -----------------------------------------------------------------------------------------------------

_FIELD_TYPES = {
    'boolean': 'bool', 'integer': 'int', 'real': 'float', 'string': 'str', 'vector': '_Vector', 'matrix': '_Matrix',
    'integerList': 'Sequence[int]', 'index': 'Union[int, str]', 'indexList': 'Union[Sequence[int], Sequence[str]]',
    'function': '_Function', 'outputVariable': 'Union[OutputVariableType, str]', 'enumeration': 'str', 'enumerationList': 'Sequence[str]'}

_ITEM_HEADER = '''from catena.enums import OutputVariableType

_Visualization = Union['Visualization', Mapping[str, Any]]

CATEGORIES: tuple[str, ...]
ITEM_CLASSES: dict[str, type]
TYPES: dict[tuple[str, str], type]
INDEX_TYPE: dict[str, type]


class Item:
    name: str
    visualization: Any
    def __iter__(self) -> Iterator[tuple[str, Any]]: ...


class Visualization:
    def __init__(self, show: bool = ..., **parameters: Any) -> None: ...
    def __iter__(self) -> Iterator[tuple[str, Any]]: ...
    def __getattr__(self, name: str) -> Any: ...
'''


def _item_arguments(fields):
    """Arguments of the constructor; older names of parameters only by keyword."""
    arguments = ['self', 'name: str = ...', *(f"{f['name']}: {_FIELD_TYPES[f['kind']]} = ..." for f in fields),
                 'visualization: _Visualization = ...']
    older = [f"{f['alias']}: {_FIELD_TYPES[f['kind']]} = ..." for f in fields if f['alias']]
    return ', '.join(arguments + (['*', *older] if older else []))


def _item_class(cls):
    fields = list(cls._fields.values())
    lines = [f'class {cls.__name__}(Item):', f'    def __init__({_item_arguments(fields)}) -> None: ...']
    return '\n'.join(lines + [f"    {f['name']}: Any" for f in fields])


def item_stub():
    """Text of itemInterface.pyi."""
    classes = {name: cls for name, cls in ITEM_CLASSES.items() if name == cls.__name__}
    parts = [_ITEM_HEADER]
    for name, cls in classes.items():
        parts.append(_item_class(cls) if issubclass(cls, Item) else f'class {name}(Visualization): ...')
    parts.append('\n'.join(f'{name} = {cls.__name__}' for name, cls in ITEM_CLASSES.items() if name not in classes))
    return '\n\n'.join(parts) + '\n'


# --- functions ---------------------------------------------------------------------------------------------------

_INDEX = 'int'
_ARGUMENT_TYPES = {  # by name, where the default value does not tell
    'addGraphicsData': 'bool', 'axis': '_Vector', 'bodyNumber': f'Optional[{_INDEX}]', 'category': 'str',
    'container': "Optional['SystemContainer']", 'coordinates': '_Vector', 'dictionary': 'Mapping[str, Any]',
    'distance': 'Optional[float]', 'initialDisplacement': 'Optional[_Vector]', 'initialRotationMatrix': 'Optional[_Matrix]',
    'localPosition': '_Vector', 'mass': 'Optional[float]', 'mbs': "'MainSystem'", 'name': 'str', 'newTime': 'float',
    'number': _INDEX, 'parameterName': 'str', 'path': 'Union[str, os.PathLike[str]]', 'position': '_Vector',
    'referenceLength': 'Optional[float]', 'typeName': 'str', 'variableType': 'Union[OutputVariableType, str]',
    'simulationSettings': 'Optional[SimulationSettings]', 'inertia': 'Optional[RigidBodyInertia]', 'item': 'Union[Item, Mapping[str, Any]]'}
_PAIRS = ('bodyNumbers', 'bodyOrNodeList', 'bodyList', 'coordinates')


def _argument_type(name, default):
    if name in _PAIRS and isinstance(default, tuple):
        return 'Sequence[Optional[int]]'
    if name in _ARGUMENT_TYPES:
        return _ARGUMENT_TYPES[name]
    if name.endswith(('UserFunction', 'UserFunction_t')):
        return '_Function'
    if name.endswith('Number'):
        return _INDEX
    if isinstance(default, IntEnum):
        return type(default).__name__
    if isinstance(default, (bool, str)):
        return type(default).__name__
    if isinstance(default, (int, float)):
        return 'float'
    if isinstance(default, (tuple, list)):
        return 'Sequence[Any]' if name == 'graphicsDataList' else '_Vector'
    if isinstance(default, np.ndarray):
        return '_Vector' if default.ndim == 1 else '_Matrix'
    return 'Any'


def _result_type(name):
    for category in CATEGORIES:
        index = category.capitalize() + 'Index'
        if name in (f'Add{category.capitalize()}', f'Get{category.capitalize()}Number'):
            return index
        if name in (f'Get{category.capitalize()}', f'Get{category.capitalize()}Defaults'):
            return 'dict[str, Any]'
    if name in ('CreateForce', 'CreateTorque'):
        return 'LoadIndex'
    if name in ('CreateRigidBody', 'CreateMassPoint'):
        return 'Any'  # an ObjectIndex, or a dictionary with returnDict
    if name.startswith('Create'):
        return 'ObjectIndex'
    if name.startswith(('Solve', 'IsActive', 'Start')):
        return 'bool'
    if name.startswith('NumberOf') or name.endswith(('Size', 'size')):
        return 'int'
    if name in ('GetSystem', 'AddSystem'):
        return "'MainSystem'"
    if name == 'GetTime':
        return 'float'
    if name.startswith('Get') and name.endswith(('Coordinates', '_t', '_tt', 'Total', 'StoredData')):
        return 'np.ndarray'
    if name.startswith(('Set', 'Modify', 'Delete', 'Assemble', 'Reset', 'ToJson', '__init__')):
        return 'None'
    return 'Any'


def _signature(name, function, indent='    '):
    parts = []
    for p in inspect.signature(function).parameters.values():
        default = None if p.default is p.empty else p.default
        star = {p.VAR_POSITIONAL: '*', p.VAR_KEYWORD: '**'}.get(p.kind, '')
        text = p.name if p.name == 'self' else f'{star}{p.name}: {"Any" if star else _argument_type(p.name, default)}'
        parts.append(text + ('' if p.default is p.empty else ' = ...'))
    return f"{indent}def {name}({', '.join(parts)}) -> {_result_type(name)}: ..."


def _class(cls, attributes=()):
    """Stub of a class with all its functions, those it inherits and those made when it was imported."""
    lines = [f'class {cls.__name__}:', *(f'    {a}' for a in attributes)]
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if name.startswith('_') and name != '__init__' or name == '__init__' and member is object.__init__:
            continue
        if isinstance(member, property):
            lines.append(f'    {name}: Any')
        elif isinstance(member, staticmethod):
            lines += ['    @staticmethod', _signature(name, member.__func__)]
        elif callable(member):
            lines.append(_signature(name, member))
    return '\n'.join(lines)


def system_stub():
    """Text of mainSystem.pyi."""
    imports = '''import os

from catena.enums import ConfigurationType, DynamicSolverType, NodeType, OutputVariableType
from catena.indices import LoadIndex, MarkerIndex, NodeIndex, ObjectIndex, SensorIndex
from catena.itemInterface import Item
from catena.rigidBodyUtilities import RigidBodyInertia
from catena.simulationSettings import SimulationSettings
from catena.systemData import SystemData
'''
    return '\n\n'.join([
        imports,
        _class(mainSystem.MainSystem, ('variables: dict[Any, Any]', 'sys: dict[str, Any]', 'interactiveMode: bool',
                                       'solverSignalJacobianUpdate: bool', 'systemData: SystemData')),
        _class(mainSystem.Renderer),
        _class(mainSystem.SystemContainer, ('visualizationSettings: Any', 'renderer: Renderer')),
        "def FromJson(path: Union[str, os.PathLike[str]], container: Optional[SystemContainer] = ...) -> "
        'tuple[MainSystem, SimulationSettings]: ...']) + '\n'


def data_stub():
    """Text of systemData.pyi."""
    return '\n\n'.join(['from catena.enums import ConfigurationType\nfrom catena.mainSystem import MainSystem\n',
                        'CONFIGURATIONS: dict[ConfigurationType, Any]\n',
                        _class(systemData.SystemData)]) + '\n'


# --- settings and enumerations -----------------------------------------------------------------------------------


def _group_name(prefix):
    name = ''.join(part[:1].upper() + part[1:] for part in prefix.split('.'))
    return name if name.endswith('Settings') else name + 'Settings'


def settings_stub():
    """Text of simulationSettings.pyi: a class for every group, the innermost first."""
    parts = ['from catena.enums import DynamicSolverType, LinearSolverType\n', '''class SettingsGroup:
    def GetDictionary(self) -> dict[str, Any]: ...
    def SetDictionary(self, dictionary: Mapping[str, Any]) -> None: ...
''']
    members = simulationSettings._MEMBERS
    for prefix in sorted(members, key=lambda p: (-p.count('.'), p)):
        lines = [f'class {_group_name(prefix) if prefix else "SimulationSettings"}(SettingsGroup):']
        for name in members[prefix]:
            path = prefix + name
            if path + '.' in members:
                kind = _group_name(path + '.')
            elif path in simulationSettings._ENUMS:
                kind = f'Union[{simulationSettings._ENUMS[path].__name__}, str]'
            else:
                kind = _FIELD_TYPES[simulationSettings._FIELDS[path]['kind']]
            lines.append(f'    {name}: {kind}')
        if not prefix:
            lines += ['    def __init__(self, other: Optional[SimulationSettings] = ...) -> None: ...',
                      '    def copy(self) -> SimulationSettings: ...',
                      '    @staticmethod', '    def describe(path: str) -> str: ...']
        parts.append('\n'.join(lines))
    return '\n\n'.join(parts) + '\n'


def enum_stub():
    """Text of enums.pyi."""
    parts = []
    for name, cls in vars(enums).items():
        if isinstance(cls, type) and issubclass(cls, IntEnum) and not name.startswith('_') and cls is not IntEnum:
            parts.append('\n'.join([f'class {name}(IntEnum):', *(f'    {m.name} = {int(m)}' for m in cls)]))
    return '\n\n'.join(parts) + '\n'


STUBS = {'itemInterface': item_stub, 'mainSystem': system_stub, 'systemData': data_stub,
         'simulationSettings': settings_stub, 'enums': enum_stub,
         '_catena': lambda: 'def __getattr__(name: str) -> Any: ...\n'}


def main(directory):
    """Writes the stubs into a directory."""
    for name, make in STUBS.items():
        with open(os.path.join(directory, name + '.pyi'), 'w', encoding='utf-8') as file:
            file.write(_HEADER + '\n' + make())


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
