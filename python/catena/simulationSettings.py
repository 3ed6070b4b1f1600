"""Settings of the solvers: a tree of attributes, checked when they are set.

    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = 2
    settings.timeIntegration.newton.useModifiedNewton = True
"""

from catena import _catena
from catena.enums import DynamicSolverType, LinearSolverType

_FIELDS = {f['name']: f for f in _catena.settings()}
_ENUMS = {'linearSolverType': LinearSolverType,
          'timeIntegration.explicitIntegration.dynamicSolverType': DynamicSolverType}


def _members():
    """Names below every group, by the group's prefix."""
    members = {}
    for path in _FIELDS:
        parts = path.split('.')
        for depth in range(len(parts)):
            prefix = ''.join(part + '.' for part in parts[:depth])
            members.setdefault(prefix, {})[parts[depth]] = None
    return members


_MEMBERS = _members()


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
        value = self._root._core.get(path)
        return _ENUMS[path][value] if path in _ENUMS else value

    def __setattr__(self, name, value):
        path = self._path(name)
        if path + '.' in _MEMBERS:
            raise AttributeError(f"settings: '{path}' is a group; set its members")
        if path in _ENUMS and not isinstance(value, str):
            value = _ENUMS[path](value).name
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
    __slots__ = ('_core',)
    _defaults = {}  # those that differ; catena.compat has some

    def __init__(self, other=None):
        SettingsGroup.__init__(self, self, '')
        object.__setattr__(self, '_core', _catena.Settings(other._core) if other else _catena.Settings())
        if not other:
            for path, value in self._defaults.items():
                self._core.set(path, value)

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
        f = _FIELDS[path]
        unit = f" [{f['unit']}]" if f['unit'] else ''
        return f"{path} = {f['default']!r}; {'' if f['effect'] else 'no effect: '}{f['description']}{unit}"
