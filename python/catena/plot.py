"""Plots of sensors with matplotlib, which is only needed here."""

import numpy as np

from catena.errors import NotAvailableError

_COMPONENT_NAMES = 'xyz'
_COLORS = ['b', 'g', 'r', 'c', 'm', 'y', 'k', 'orange', 'purple', 'brown']


def _matplotlib():
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise NotAvailableError('PlotSensor needs matplotlib: install the package python3-matplotlib') from None
    return plt


def _as_list(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _entry(values, k, default):
    """Entry k of a list, the last one if it is shorter."""
    values = _as_list(values)
    return values[min(k, len(values) - 1)] if values else default


def _data(mbs, sensor):
    """Rows [t, values...] and a name, from a sensor, a file or an array."""
    if isinstance(sensor, np.ndarray):
        return sensor, ''
    if isinstance(sensor, str):
        return np.loadtxt(sensor, delimiter=',', comments='#', ndmin=2), sensor
    data = mbs.GetSensorStoredData(sensor)
    if data.size == 0:
        raise ValueError(f'PlotSensor: sensor {int(sensor)} has no data; solve first')
    parameters = mbs.GetSensor(sensor)
    variable = parameters.get('outputVariableType')
    return data, parameters['name'] or (variable.name if variable is not None else f'sensor {int(sensor)}')


def _column(data, component, offset, factor):
    """Values of a component; 'norm' gives the Euclidean norm of all."""
    values = np.linalg.norm(data[:, 1:], axis=1) if component == 'norm' else data[:, 1 + component]
    return factor * (values + offset)


def PlotSensor(mbs, sensorNumbers=[], components=0, xLabel='time(s)', yLabel=None, labels=[], colorCodeOffset=0,
               newFigure=True, closeAll=False, componentsX=[], title='', figureName='', fontSize=16, colors=[],
               lineStyles=[], lineWidths=[], markerStyles=[], markerSizes=[], markerDensity=0.08, rangeX=[], rangeY=[],
               majorTicksX=10, majorTicksY=10, offsets=[], factors=[], subPlot=[], sizeInches=[6.4, 4.8], fileName='',
               useXYZcomponents=True, legendArgs=None, **kwargs):
    """Plots components of sensors over time; returns [plt, fig, ax, line].

    sensorNumbers: index, or list of indices, file names or arrays of rows [t, values...]; components: number per
    sensor, or 'norm'; componentsX: plot over these components instead of time; fileName: saves the figure.
    """
    plt = _matplotlib()
    if closeAll:
        plt.close('all')
        if len(_as_list(sensorNumbers)) == 0:
            return None
    sensors = [sensorNumbers] if isinstance(sensorNumbers, np.ndarray) else _as_list(sensorNumbers)
    all_components = _as_list(components)
    if len(sensors) == 1 and len(all_components) > 1:
        sensors = sensors * len(all_components)
    fig, ax = _axes(plt, newFigure, subPlot, sizeInches, figureName)
    line, names = None, []
    for k, sensor in enumerate(sensors):
        data, name = _data(mbs, sensor)
        component = _entry(all_components, k, 0)
        y = _column(data, component, _entry(offsets, k, 0), _entry(factors, k, 1))
        x = _column(data, _entry(componentsX, k, 0), 0, 1) if len(_as_list(componentsX)) else data[:, 0]
        suffix = ''
        if data.shape[1] > 2 and component != 'norm':
            suffix = ' ' + (_COMPONENT_NAMES[component] if useXYZcomponents and data.shape[1] == 4 else str(component))
        names.append(name)
        marker = _entry(markerStyles, k, '')
        line, = ax.plot(
            x, y, color=_entry(colors, k, _COLORS[(k + colorCodeOffset) % len(_COLORS)]),
            linestyle=_entry(lineStyles, k, '-') or '', linewidth=_entry(lineWidths, k, 1.5), marker=marker.strip(),
            markersize=_entry(markerSizes, k, 6), markevery=max(1, int(1 / markerDensity)) if markerDensity < 1 else 1,
            label=labels if isinstance(labels, str) else (labels[k] if k < len(labels) else name + suffix))
    _decorate(ax, xLabel, yLabel if yLabel is not None else ', '.join(dict.fromkeys(n for n in names if n)), title,
              fontSize, rangeX, rangeY, majorTicksX, majorTicksY, plt)
    ax.legend(**(legendArgs or {}))
    fig.tight_layout()
    if fileName:
        fig.savefig(fileName)
    return [plt, fig, ax, line]


def _axes(plt, newFigure, subPlot, sizeInches, figureName):
    if newFigure:
        fig = plt.figure(figureName or None, figsize=sizeInches)
        fig.clf()
    else:
        fig = plt.gcf()
    if len(subPlot) == 3:
        return fig, fig.add_subplot(*subPlot)
    return fig, fig.gca()


def _decorate(ax, xLabel, yLabel, title, fontSize, rangeX, rangeY, ticksX, ticksY, plt):
    ax.set_xlabel(xLabel, fontsize=fontSize)
    ax.set_ylabel(yLabel, fontsize=fontSize)
    if title:
        ax.set_title(title)
    if len(rangeX) == 2:
        ax.set_xlim(rangeX)
    if len(rangeY) == 2:
        ax.set_ylim(rangeY)
    if ticksX:
        ax.xaxis.set_major_locator(plt.MaxNLocator(ticksX))
    if ticksY:
        ax.yaxis.set_major_locator(plt.MaxNLocator(ticksY))
    ax.grid(True, which='major', linestyle=':')
