"""Helpers for excitations, data and dictionaries."""

import numpy as np

from catena.basicUtilities import cos, pi, sin
from catena.errors import NotAvailableError


def FillInSubMatrix(subMatrix, destinationMatrix, destRow, destColumn):
    """Writes a block into a matrix, its upper left corner at (destRow, destColumn)."""
    block = np.asarray(subMatrix)
    destinationMatrix[destRow:destRow + block.shape[0], destColumn:destColumn + block.shape[1]] = block


def FrequencySweep(t, t1, f0, f1):
    """Frequency [Hz] at time t that grows linearly from f0 at 0 to f1 at t1."""
    return t * (f1 - f0) / t1 + f0


def SweepSin(t, t1, f0, f1):
    """Sine whose frequency [Hz] grows linearly from f0 at time 0 to f1 at t1."""
    return sin(2 * pi * ((f1 - f0) / t1 * t / 2 + f0) * t)


def SweepCos(t, t1, f0, f1):
    """Cosine whose frequency [Hz] grows linearly from f0 at time 0 to f1 at t1."""
    return cos(2 * pi * ((f1 - f0) / t1 * t / 2 + f0) * t)


def SmoothStep(x, x0, x1, value0, value1):
    """value0 below x0, value1 above x1, half a cosine between."""
    if x <= x0:
        return value0
    if x >= x1:
        return value1
    return value0 + (value1 - value0) * 0.5 * (1 - cos(pi * (x - x0) / (x1 - x0)))


def SmoothStepDerivative(x, x0, x1, value0, value1):
    """Derivative of SmoothStep by x."""
    if x <= x0 or x >= x1:
        return 0.
    return (value1 - value0) * 0.5 * pi / (x1 - x0) * sin(pi * (x - x0) / (x1 - x0))


def IndexFromValue(data, value, tolerance=1e-7, assumeConstantSampleRate=False, rangeWarning=True):
    """Index of a value in a sorted vector, within tolerance; the nearest one with a warning otherwise."""
    data = np.asarray(data)
    index = int(np.argmin(np.abs(data - value)))
    if rangeWarning and abs(data[index] - value) > tolerance:
        print(f'IndexFromValue: {value} is not in the data, the nearest is {data[index]}')
    return index


def RoundMatrix(matrix, treshold=1e-14):
    """The matrix with entries below treshold set to 0."""
    result = np.array(matrix, float)
    result[np.abs(result) < treshold] = 0
    return result


def IsListOrArray(data, checkIfNoneEmpty=False):
    """True for lists and arrays; with checkIfNoneEmpty only if they are not empty."""
    return isinstance(data, (list, np.ndarray)) and not (checkIfNoneEmpty and len(data) == 0)


def IsEmptyList(x):
    """True for a list or array without entries."""
    return isinstance(x, (list, tuple, np.ndarray)) and len(x) == 0


def IsNone(x):
    """True for None."""
    return x is None


def SaveDictToHDF5(fileName, dataDict):
    """Not available yet."""
    raise NotAvailableError('SaveDictToHDF5 is not available yet; use mbs.ToJson')


def LoadDictFromHDF5(fileName, callerGlobals=None):
    """Not available yet."""
    raise NotAvailableError('LoadDictFromHDF5 is not available yet; use FromJson')


def CreateSymbolicUserFunction(mbs, function, userFunctionName, itemIndex=None, itemTypeName=None, verbose=0):
    """Not available yet; expressions as text are as fast."""
    raise NotAvailableError("CreateSymbolicUserFunction is not available yet; give the user function as text, e.g. "
                            "springForceUserFunction='k*u + d*v'")
