"""Writes type stubs of the classes that are made from the registry: python3 -m catena.stubs DIRECTORY."""

import os
import sys

from catena.itemInterface import ITEM_CLASSES, Item

_TYPES = {'boolean': 'bool', 'integer': 'int', 'real': 'float', 'string': 'str', 'vector': '_Vector', 'matrix': '_Matrix',
          'integerList': 'Sequence[int]', 'index': 'int', 'indexList': 'Sequence[int]', 'function': '_Function',
          'outputVariable': 'Any', 'enumeration': 'str'}

_HEADER = '''# Made by catena.stubs from the registry of item types.
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np

_Vector = Union[Sequence[float], np.ndarray]
_Matrix = Union[Sequence[Sequence[float]], Sequence[np.ndarray], np.ndarray]
_Function = Union[Callable[..., Any], str, Sequence[str], int]
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


def _arguments(fields):
    """Arguments of the constructor; older names of parameters only by keyword."""
    arguments = ['self', 'name: str = ...', *(f"{f['name']}: {_TYPES[f['kind']]} = ..." for f in fields),
                 'visualization: _Visualization = ...']
    older = [f"{f['alias']}: {_TYPES[f['kind']]} = ..." for f in fields if f['alias']]
    return ', '.join(arguments + (['*', *older] if older else []))


def _class(cls):
    fields = list(cls._fields.values())
    lines = [f'class {cls.__name__}(Item):', f'    def __init__({_arguments(fields)}) -> None: ...']
    return '\n'.join(lines + [f"    {f['name']}: Any" for f in fields])


def item_stub():
    """Text of itemInterface.pyi."""
    classes = {name: cls for name, cls in ITEM_CLASSES.items() if name == cls.__name__}
    parts = [_HEADER]
    for name, cls in classes.items():
        parts.append(_class(cls) if issubclass(cls, Item) else f'class {name}(Visualization): ...')
    parts.append('\n'.join(f'{name} = {cls.__name__}' for name, cls in ITEM_CLASSES.items()
                           if name not in classes))
    return '\n\n'.join(parts) + '\n'


def main(directory):
    """Writes the stubs into a directory."""
    for name, text in (('itemInterface.pyi', item_stub()),
                       ('_catena.pyi', 'from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n')):
        with open(os.path.join(directory, name), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
