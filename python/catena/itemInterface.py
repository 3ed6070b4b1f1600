"""Item classes, made from the registry of item types when the package is imported.

Every type has a class with its full name (NodePoint, ObjectMassPoint, MarkerBodyRigid, LoadForceVector, SensorBody),
shorter names where they are unambiguous (Point, MassPoint, Force, ...) and a class for its visualization with a V
before the name. help(NodePoint) lists the parameters with shape, unit and default.

    mbs.AddNode(NodePoint(referenceCoordinates=[1, 0, 0]))
    mbs.AddNode({'nodeType': 'Point', 'referenceCoordinates': [1, 0, 0]})
"""

import copy

import numpy as np

from catena import _catena
from catena.enums import OutputVariableType
from catena.indices import INDEX_TYPES

CATEGORIES = ('node', 'object', 'marker', 'load', 'sensor')
_BARE_NAMES = ('object', 'node')  # categories whose bare type names are short names; objects come first


def _shape(field):
    if field['kind'] in ('vector', 'integerList', 'indexList'):
        return f"[{field['rows'] or 'n'}]"
    if field['kind'] == 'matrix':
        return f"[{field['rows'] or 'n'} x {field['columns'] or 'n'}]"
    return {'function': 'function', 'outputVariable': 'OutputVariableType', 'index': f"{field['category']} index",
            'boolean': 'bool', 'integer': 'int', 'real': 'float', 'string': 'str'}.get(field['kind'], '')


def _default_text(value):
    if isinstance(value, np.ndarray):
        return str(value.tolist())
    return repr(value)


def _docstring(entry, prefix):
    lines = [f"{entry['summary'][:1].upper()}{entry['summary'][1:]}.", '', 'Parameters (all by keyword):',
             "    name: str = ''; a unique name"]
    for f in entry['fields']:
        unit = f" [{f['unit']}]" if f['unit'] else ''
        lines.append(f"    {f['name']}: {_shape(f)} = {_default_text(f['default'])}; {f['description']}{unit}")
    lines.append(f"    visualization: V{prefix}{entry['name']} or dict; how the item is drawn")
    if entry['outputs']:
        lines += ['', 'Outputs: ' + ', '.join(entry['outputs'])]
    if entry['theory']:
        lines += ['', entry['theory']]
    return '\n'.join(lines)


class Item:
    """Parameters of an item until it is added to a system.

    Parameters that were not given have their default. dict(item) has the type and all parameters.
    """
    _category = ''
    _type_name = ''
    _fields = {}
    _known = frozenset()

    def __init__(self, *args, **parameters):
        if args:
            parameters = self._with_positions(args, parameters)
        if not self._known.issuperset(parameters):
            self._refuse(parameters)
        for key, value in parameters.items():
            if type(value) is list or type(value) is np.ndarray:
                parameters[key] = value.copy()
        self.__dict__.update(parameters)

    def _with_positions(self, args, parameters):
        names = ['name', *self._fields, 'visualization']
        if len(args) > len(names):
            raise TypeError(f'{type(self).__name__} takes {len(names)} parameters, {len(args)} were given')
        for name, value in zip(names, args):
            if name in parameters:
                raise TypeError(f"{type(self).__name__}: parameter '{name}' was given twice")
            parameters[name] = value
        return parameters

    def _refuse(self, parameters):
        for name in parameters:
            if name not in self._known:
                near = _catena.nearestName(name, sorted(self._known))
                hint = f"; did you mean '{near}'?" if near else '; known are ' + ' '.join(self._fields)
                raise TypeError(f"{type(self).__name__}: unknown parameter '{name}'{hint}")

    def __getattr__(self, name):
        if name == 'name':
            return ''
        if name == 'visualization':
            return {}
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no parameter '{name}'")
        value = copy.copy(field['default'])
        if field['kind'] == 'outputVariable':
            value = OutputVariableType['_None' if value == 'None' else value]
        self.__dict__[name] = value
        return value

    def __iter__(self):
        yield self._category + 'Type', self._type_name
        yield 'name', self.name
        for name in self._fields:
            yield name, getattr(self, name)
        for name, value in dict(self.visualization or {}).items():
            yield 'V' + name, value

    def __repr__(self):
        given = ', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())
        return f'{type(self).__name__}({given})'


class Visualization:
    """How an item is drawn. Any parameter is accepted; none changes a solution."""

    def __init__(self, show=True, **parameters):
        self.__dict__.update(parameters, show=show)

    def __iter__(self):
        return iter(self.__dict__.items())

    def __repr__(self):
        return f'{type(self).__name__}(' + ', '.join(f'{k}={v!r}' for k, v in self) + ')'


def _make_class(entry):
    prefix = entry['category'].capitalize()
    name = prefix + entry['name']
    fields = {f['name']: f for f in entry['fields']}
    aliases = {f['alias'] for f in entry['fields'] if f['alias']}
    return type(name, (Item,), {
        '__doc__': _docstring(entry, prefix), '__module__': __name__, '_category': entry['category'],
        '_type_name': entry['name'], '_fields': fields,
        '_known': frozenset(fields) | aliases | {'name', 'visualization'}})


def _make_classes():
    """All classes by name. A name that several types claim belongs to the first of them: long names come before short
    ones, and bodies before nodes (RigidBody2D)."""
    entries = _catena.types()
    classes = {}
    for entry in entries:
        cls = _make_class(entry)
        classes[cls.__name__] = cls
    short = [(name, entry) for entry in entries for name in entry['aliases']]
    short += [(entry['name'], entry) for category in _BARE_NAMES for entry in entries
              if entry['category'] == category and entry['name'].isidentifier()]  # "1D" is none
    for name, entry in short:
        classes.setdefault(name, classes[entry['category'].capitalize() + entry['name']])
    for name in list(classes):
        vname = 'V' + name
        long_name = 'V' + classes[name].__name__
        if long_name not in classes:
            classes[long_name] = type(long_name, (Visualization,), {'__module__': __name__})
        classes.setdefault(vname, classes[long_name])
    return classes


ITEM_CLASSES = _make_classes()
globals().update(ITEM_CLASSES)
__all__ = list(ITEM_CLASSES)

# By category and any name of the type.
TYPES = {}
for _cls in ITEM_CLASSES.values():
    if issubclass(_cls, Item):
        TYPES[_cls._category, _cls._type_name] = _cls
        TYPES[_cls._category, _cls.__name__] = _cls
del _cls
INDEX_TYPE = dict(zip(CATEGORIES, INDEX_TYPES))
