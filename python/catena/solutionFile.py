"""Text files of sensors and solutions."""

import os

import numpy as np


def _make_directory(file_name):
    directory = os.path.dirname(file_name)
    if directory:
        os.makedirs(directory, exist_ok=True)


def write_sensor_file(mbs, number, file_name, settings):
    """Rows 't, values...' of the last run, under a header of lines that begin with #."""
    from catena import __version__
    _make_directory(file_name)
    solution = settings.solutionSettings
    lines = []
    if solution.sensorsWriteFileHeader:
        sensor = mbs.GetSensor(number)
        lines = [f'Catena {__version__} sensor output file', f"Sensor type = {sensor['sensorType']}",
                 f"Sensor name = {sensor['name'] or 'sensor' + str(number)}"]
        if 'outputVariableType' in sensor:
            lines.append(f"Output variable type = {sensor['outputVariableType'].name}")
        lines.append('columns: time [s], values')
    np.savetxt(file_name, mbs.GetSensorStoredData(number), fmt=f'%.{solution.outputPrecision}g', delimiter=',',
               header='\n'.join(lines), comments='#')


def LoadSolutionFile(fileName, safeMode=False, maxRows=-1, verbose=True, hasHeader=True):
    """Reads a file of rows 't, values...' (lines with # are comments).

    Returns a dictionary: fileName, data (array [rows x columns]), nRows, columnsExported, solverType.
    """
    data = np.loadtxt(fileName, delimiter=',', comments='#', ndmin=2, max_rows=None if maxRows < 0 else maxRows)
    return {'fileName': fileName, 'data': data, 'nRows': data.shape[0], 'nColumns': data.shape[1],
            'columnsExported': {}, 'solverType': ''}
