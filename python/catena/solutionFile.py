"""Text files of sensors and solutions."""

import os

import numpy as np

from catena.enums import ConfigurationType
from catena.simulationSettings import SimulationSettings


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


_DEFAULT_NAME = SimulationSettings().solutionSettings.coordinatesSolutionFileName


def writes_solution(settings):
    """Whether a run writes its coordinates: when a file name was given and writeSolutionToFile is on."""
    solution = settings.solutionSettings
    return solution.writeSolutionToFile and solution.coordinatesSolutionFileName != _DEFAULT_NAME


def _sections(mbs, solution):
    """Names and sizes of the parts of a row after the time, and whether they are written."""
    data = mbs.systemData
    n, m = data.ODE2Size(), data.ODE1Size()
    return [('ODE2', n, True), ('vel2', n, solution.exportVelocities), ('acc2', n, solution.exportAccelerations),
            ('ODE1', m, True), ('vel1', m, solution.exportODE1Velocities),
            ('AE', data.AEsize(), solution.exportAlgebraicCoordinates),
            ('Data', data.DataSize(), solution.exportDataCoordinates)]


def write_solution_file(mbs, settings):
    """Coordinates of the last run: rows of time, ODE2 coordinates, velocities, accelerations, ..."""
    from catena import __version__
    solution = settings.solutionSettings
    rows = mbs._core.solution()
    columns, start, counts = [0], 1, []
    for name, size, written in _sections(mbs, solution):
        if written:
            columns += range(start, start + size)
        counts.append(f'{name}={size if written else 0}')
        start += size
    name = solution.coordinatesSolutionFileName
    file_name = name if name.endswith('.txt') else name + '.txt'
    _make_directory(file_name)
    header = [f'Catena {__version__} solution file', 'columns: ' + ', '.join(counts)]
    if solution.solutionInformation:
        header.append('information: ' + solution.solutionInformation)
    np.savetxt(file_name, rows[:, columns], fmt=f'%.{solution.outputPrecision}g', delimiter=',',
               header='\n'.join(header), comments='#')


def _exported(fileName):
    """Sizes of the parts of a row from the header; empty if there are none."""
    with open(fileName, encoding='utf-8') as file:
        for line in file:
            if not line.startswith('#'):
                break
            if line.startswith('#columns: '):
                pairs = (entry.split('=') for entry in line[len('#columns: '):].split(','))
                return {name.strip(): int(size) for name, size in pairs}
    return {}


def LoadSolutionFile(fileName, safeMode=False, maxRows=-1, verbose=True, hasHeader=True):
    """Reads a file of rows 't, values...' (lines with # are comments).

    Returns a dictionary: fileName, data (array [rows x columns]), nRows, nColumns and columnsExported, the sizes of
    the parts of a row (ODE2, vel2, acc2, ODE1, vel1, AE, Data) if the file is that of a solution.
    """
    data = np.loadtxt(fileName, delimiter=',', comments='#', ndmin=2, max_rows=None if maxRows < 0 else maxRows)
    return {'fileName': fileName, 'data': data, 'nRows': data.shape[0], 'nColumns': data.shape[1],
            'columnsExported': _exported(fileName)}


def SetSolutionState(mbs, solution, row, configuration=ConfigurationType.Current, sendRedrawSignal=True):
    """Sets a configuration to a row of a solution from LoadSolutionFile: coordinates, velocities, data."""
    values, start = solution['data'][row], 1
    setters = {'ODE2': mbs.systemData.SetODE2Coordinates, 'vel2': mbs.systemData.SetODE2Coordinates_t,
               'acc2': mbs.systemData.SetODE2Coordinates_tt, 'ODE1': mbs.systemData.SetODE1Coordinates,
               'vel1': mbs.systemData.SetODE1Coordinates_t, 'AE': mbs.systemData.SetAECoordinates,
               'Data': mbs.systemData.SetDataCoordinates}
    for name, size in solution['columnsExported'].items():
        if size:
            setters[name](values[start:start + size], configuration)
        start += size
    mbs.systemData.SetTime(values[0], configuration)
