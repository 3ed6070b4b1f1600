"""Printing."""

import sys as _sys
import time as _time


class _Config:
    """How Print works."""
    suppressWarnings = False
    outputPrecision = 6
    linalgOutputFormatPython = True
    printDelayMilliSeconds = 0
    printFlushAlways = False
    printToConsole = True
    printToFile = False
    printFileName = ''
    printToFileAppend = False

    def Version(self, addDetails=False):
        """Version as text."""
        from catena import __version__
        return f'Catena {__version__}, Python {_sys.version.split()[0]}' if addDetails else __version__


config = _Config()
_file = None


def Print(*args, sep=' ', end='\n', flush=False):
    """Like print, to the console and to the file of SetWriteToFile."""
    if config.printToConsole:
        print(*args, sep=sep, end=end, flush=flush or config.printFlushAlways)
    if _file is not None:
        print(*args, sep=sep, end=end, flush=True, file=_file)
    if config.printDelayMilliSeconds:
        _time.sleep(config.printDelayMilliSeconds / 1000)


def SetWriteToFile(filename, flagWriteToFile=True, flagAppend=False, flagFlushAlways=False):
    """Also writes what Print prints to a file, until it is called with flagWriteToFile=False."""
    global _file
    if _file is not None:
        _file.close()
        _file = None
    if flagWriteToFile:
        _file = open(filename, 'a' if flagAppend else 'w', encoding='utf-8')
    config.printToFile, config.printFileName, config.printToFileAppend = flagWriteToFile, filename, flagAppend
