"""Plots of sensors with matplotlib, which is only needed here."""

import numpy as np

from catena.errors import NotAvailableError
from catena.itemInterface import CATEGORIES, TYPES

_COMPONENT_NAMES = 'xyz'
_COLORS = ['b', 'g', 'r', 'c', 'm', 'y', 'k', 'orange', 'purple', 'brown']


def _matplotlib():
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise NotAvailableError('plots need matplotlib: install the package python3-matplotlib') from None
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


# --- graph of a system -------------------------------------------------------------------------------------------

_CATEGORY_COLORS = {'node': 'lightblue', 'object': 'lightgreen', 'marker': 'lightgrey', 'load': 'salmon', 'sensor': 'khaki'}


def _references(fields, parameters):
    """(category, number) of all items that the index parameters of an item name."""
    for name, field in fields.items():
        if field['kind'] == 'index':
            numbers = [parameters[name]]
        elif field['kind'] == 'indexList':
            numbers = parameters[name]
        else:
            continue
        yield from ((field['category'], int(number)) for number in numbers if int(number) >= 0)


def DrawSystemGraph(mbs, showLoads=True, showSensors=True, useItemNames=False, useItemTypes=False, addItemTypeNames=True,
                    multiLine=True, fontSizeFactor=1., layoutDistanceFactor=3., layoutIterations=100, showLegend=True,
                    tightLayout=True):
    """Draws which items refer to which; needs networkx and matplotlib.

    Labels are 'node0', ..., names (useItemNames) or types (useItemTypes), with the type in a second line (multiLine) if
    addItemTypeNames. Returns [networkx, graph, items]: the vertices of the graph are the pairs (category, number), items
    maps them to their parameters.
    """
    try:
        import networkx
    except ImportError:
        raise NotAvailableError('DrawSystemGraph needs networkx: install the package python3-networkx') from None
    plt = _matplotlib()
    graph, items, labels = networkx.Graph(), {}, {}
    for category in CATEGORIES:
        if (category == 'load' and not showLoads) or (category == 'sensor' and not showSensors):
            continue
        read = getattr(mbs, f'Get{category.capitalize()}')
        for number in range(getattr(mbs.systemData, f'NumberOf{category.capitalize()}s')()):
            parameters = items[category, number] = read(number)
            kind, label = parameters[category + 'Type'], f'{category}{number}'
            if useItemTypes:
                label = f'{kind}{number}'
            elif useItemNames and parameters['name']:
                label = parameters['name']
            if addItemTypeNames and not useItemTypes:
                label += ('\n' if multiLine else ' ') + kind
            labels[category, number] = label
            graph.add_node((category, number))
    for vertex, parameters in items.items():
        fields = TYPES[vertex[0], parameters[vertex[0] + 'Type']]._fields
        graph.add_edges_from((vertex, other) for other in _references(fields, parameters) if other in items)

    _, ax = plt.subplots()
    places = networkx.spring_layout(graph, k=layoutDistanceFactor / max(1, len(graph))**0.5, iterations=layoutIterations,
                                    seed=0)
    networkx.draw_networkx(graph, places, ax=ax, labels=labels, font_size=8 * fontSizeFactor,
                           node_color=[_CATEGORY_COLORS[category] for category, _ in graph])
    if showLegend:
        for category, color in _CATEGORY_COLORS.items():
            ax.scatter([], [], color=color, label=category)
        ax.legend()
    if tightLayout:
        plt.tight_layout()
    return [networkx, graph, items]
