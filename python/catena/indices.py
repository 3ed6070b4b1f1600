"""Indices of items. Each category has its own type, so that mixing them up is found at once."""

from catena import _catena


class ItemIndex(int):
    """Number of an item within its category, counted from 0; -1 = none."""
    category = None

    def GetIndex(self):
        """The plain number."""
        return int(self)

    def GetTypeString(self):
        """Name of the type, e.g. 'NodeIndex'."""
        return type(self).__name__

    def __add__(self, other):
        return type(self)(int(self) + int(other))

    __radd__ = __add__

    def __sub__(self, other):
        return type(self)(int(self) - int(other))

    def __mul__(self, other):
        return type(self)(int(self) * int(other))

    __rmul__ = __mul__

    def __neg__(self):
        return type(self)(-int(self))


class NodeIndex(ItemIndex):
    """Number of a node."""
    category = _catena.Category.node


class ObjectIndex(ItemIndex):
    """Number of an object (body, spring, joint, ...)."""
    category = _catena.Category.object


class MarkerIndex(ItemIndex):
    """Number of a marker."""
    category = _catena.Category.marker


class LoadIndex(ItemIndex):
    """Number of a load."""
    category = _catena.Category.load


class SensorIndex(ItemIndex):
    """Number of a sensor."""
    category = _catena.Category.sensor


INDEX_TYPES = (NodeIndex, ObjectIndex, MarkerIndex, LoadIndex, SensorIndex)
_catena.registerIndexTypes(list(INDEX_TYPES))


def number_of(index_type, index):
    """The plain number of an index; TypeError if it is that of another category or no number at all."""
    if type(index) is index_type or type(index) is int:
        return int(index)
    if isinstance(index, ItemIndex):
        raise TypeError(f'expected {index_type.__name__}, found {type(index).__name__} {int(index)}')
    try:
        return index.__index__()
    except AttributeError:
        raise TypeError(f'expected {index_type.__name__} or int, found {index!r}') from None
