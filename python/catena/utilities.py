"""Everything that scripts of mechanisms need, for `from catena.utilities import *`."""

import copy  # noqa: F401
import time  # noqa: F401

import numpy as np  # noqa: F401

import catena  # noqa: F401
from catena import graphics  # noqa: F401
from catena.advancedUtilities import *  # noqa: F401,F403
from catena.basicUtilities import *  # noqa: F401,F403
from catena.beams import GenerateStraightLineANCFCable, GenerateStraightLineANCFCable2D  # noqa: F401
from catena.graphicsDataUtilities import *  # noqa: F401,F403
from catena.itemInterface import *  # noqa: F401,F403
from catena.rigidBodyUtilities import *  # noqa: F401,F403
from catena.solutionFile import LoadSolutionFile, SetSolutionState  # noqa: F401


def PlotSensor(mbs, *args, **kwargs):
    """See catena.plot.PlotSensor."""
    from catena.plot import PlotSensor as plot
    return plot(mbs, *args, **kwargs)


def AddSensorRecorder(mbs, sensorNumber, endTime, sensorsWritePeriod, sensorOutputSize=3):
    """Records a sensor during a run from 0 to endTime [s] into the array mbs.variables['sensorRecord<sensorNumber>'].

    Its rows are [t, values...] at the multiples of sensorsWritePeriod [s], which the settings of the run must have too.
    A sensor with storeInternal=True does the same for any run. Returns the SensorIndex of the recorder.
    """
    rows = int(round(endTime / sensorsWritePeriod)) + 1
    record = mbs.variables[f'sensorRecord{int(sensorNumber)}'] = np.zeros((rows, 1 + sensorOutputSize))

    def store(mbs, t, sensorNumbers, factors, configuration):
        values = np.atleast_1d(mbs.GetSensorValues(sensorNumbers[0]))
        if values.size != sensorOutputSize:
            raise ValueError(f'AddSensorRecorder: sensor {sensorNumbers[0]} has {values.size} values, '
                             f'sensorOutputSize is {sensorOutputSize}')
        row = int(round(t / sensorsWritePeriod))
        if 0 <= row < rows:
            record[row] = [t, *values]
        return values.tolist()

    return mbs.AddSensor(SensorUserFunction(sensorNumbers=[sensorNumber], factors=[1.], storeInternal=True,  # noqa: F405
                                            sensorUserFunction=store, writeToFile=False))


def GetJointArgs(mbs, markerNumber0=None, markerNumber1=None, rotationMarker0=None, rotationMarker1=None,
                 bodyNumber0=None, bodyNumber1=None):
    """Completes the arguments of a joint: where one marker or rotation is missing, the reference configuration gives it.

    Returns a dictionary with markerNumbers, rotationMarker0 and rotationMarker1.
    """
    markers, rotations, bodies = [markerNumber0, markerNumber1], [rotationMarker0, rotationMarker1], [bodyNumber0, bodyNumber1]
    known = 0 if markers[0] is not None else 1
    if markers[known] is None:
        raise ValueError('GetJointArgs: give at least one marker')
    position, A = mbs._reference_frame(markers[known])
    axes = A @ (np.eye(3) if rotations[known] is None else np.asarray(rotations[known], float))
    other = 1 - known
    if markers[other] is None:
        if bodies[other] is None:
            raise ValueError(f'GetJointArgs: give markerNumber{other} or bodyNumber{other}')
        p, B = mbs._reference_frame(bodies[other])
        markers[other] = mbs.AddMarker(MarkerBodyRigid(bodyNumber=bodies[other], localPosition=B.T @ (position - p)))  # noqa: F405
    else:
        B = mbs._reference_frame(markers[other])[1]
    result = [None, None]
    result[known] = A.T @ axes
    result[other] = B.T @ axes if rotations[other] is None else np.asarray(rotations[other], float)
    return {'markerNumbers': markers, 'rotationMarker0': result[0], 'rotationMarker1': result[1]}
