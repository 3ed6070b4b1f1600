"""Shapes for viewers, as plain dictionaries.

Triangle meshes: {'type': 'TriangleList', 'points': [x0, y0, z0, x1, ...], 'colors': [r, g, b, a, ...] per point,
'normals': [...] or [], 'triangles': [i0, i1, i2, ...]}; lines: {'type': 'Line', 'color', 'data': [x0, y0, z0, ...]}.
"""

import numpy as np
from numpy import pi

from catena.rigidBodyUtilities import ComputeOrthonormalBasisVectors


class color:
    """Colours [red, green, blue, opacity], 0 .. 1; default = chosen by the viewer."""
    red = [1., 0., 0., 1.]
    green = [0., 1., 0., 1.]
    blue = [0., 0., 1., 1.]
    cyan = [0., 1., 1., 1.]
    magenta = [1., 0., 1., 1.]
    yellow = [1., 1., 0., 1.]
    orange = [1., 0.65, 0., 1.]
    pink = [1., 0.41, 0.71, 1.]
    lawngreen = [0.49, 0.99, 0., 1.]
    springgreen = [0., 1., 0.5, 1.]
    violet = [0.54, 0.17, 0.89, 1.]
    dodgerblue = [0.12, 0.56, 1., 1.]
    lightred = [1., 0.6, 0.6, 1.]
    lightgreen = [0.6, 1., 0.6, 1.]
    steelblue = [0.27, 0.51, 0.71, 1.]
    brown = [0.55, 0.27, 0.07, 1.]
    black = [0., 0., 0., 1.]
    darkgrey = [0.4, 0.4, 0.4, 1.]
    darkgrey2 = [0.3, 0.3, 0.3, 1.]
    grey = [0.5, 0.5, 0.5, 1.]
    lightgrey = [0.75, 0.75, 0.75, 1.]
    lightgrey2 = [0.88, 0.88, 0.88, 1.]
    white = [1., 1., 1., 1.]
    default = [-1., -1., -1., -1.]
    defaultBody = [0.3, 0.5, 0.8, 1.]
    defaultJoint = [0.5, 0.5, 0.6, 1.]
    defaultFFRF = [0.9, 0.7, 0.3, 1.]


colorList = [color.red, color.green, color.blue, color.cyan, color.magenta, color.yellow, color.orange, color.violet,
             color.brown, color.grey]
_BLACK = color.black


class material:
    """Numbers of a viewer's materials."""
    indexDefault = 0
    indexChrome = 1


def _mesh(points, triangles, color, edges=None, edgeColor=_BLACK, normals=()):
    points = np.asarray(points, float).reshape(-1, 3)
    mesh = {'type': 'TriangleList', 'points': points.ravel().tolist(), 'colors': list(color) * len(points),
            'normals': np.asarray(normals, float).ravel().tolist(),
            'triangles': np.asarray(triangles, int).ravel().tolist()}
    if edges is not None:
        mesh['edges'], mesh['edgeColor'] = np.asarray(edges, int).ravel().tolist(), list(edgeColor)
    return mesh


def FromPointsAndTrigs(points, triangles, color=_BLACK, normals=None):
    """Mesh of points [n x 3] and triangles [m x 3] (indices of points)."""
    return _mesh(points, triangles, color, normals=() if normals is None else normals)


def ToPointsAndTrigs(g):
    """[points [n x 3], triangles [m x 3]] of a mesh."""
    return [np.array(g['points'], float).reshape(-1, 3), np.array(g['triangles'], int).reshape(-1, 3)]


def MergeTriangleLists(g1, g2):
    """One mesh of two."""
    count = len(g1['points']) // 3
    merged = {'type': 'TriangleList'}
    for key in ('points', 'colors', 'normals'):
        merged[key] = list(g1.get(key, [])) + list(g2.get(key, []))
    merged['triangles'] = list(g1['triangles']) + [i + count for i in g2['triangles']]
    if 'edges' in g1 or 'edges' in g2:
        merged['edges'] = list(g1.get('edges', [])) + [i + count for i in g2.get('edges', [])]
        merged['edgeColor'] = g1.get('edgeColor', g2.get('edgeColor'))
    return merged


def Move(g, pOff, Aoff=None):
    """The shape turned by Aoff [3 x 3] and then moved by pOff [3]."""
    A = np.eye(3) if Aoff is None else np.asarray(Aoff, float)
    moved = dict(g)

    def transform(flat, offset):
        return (np.array(flat, float).reshape(-1, 3) @ A.T + offset).ravel().tolist()

    for key in ('points', 'data', 'position'):
        if key in moved:
            moved[key] = transform(moved[key], np.asarray(pOff, float))
    for key in ('normals', 'normal'):
        if moved.get(key):
            moved[key] = transform(moved[key], np.zeros(3))
    return moved


def BrickXYZ(xMin, yMin, zMin, xMax, yMax, zMax, color=_BLACK, addNormals=False, addEdges=False, edgeColor=_BLACK,
             addFaces=True):
    """Cuboid between two corners."""
    points = [[x, y, z] for z in (zMin, zMax) for y in (yMin, yMax) for x in (xMin, xMax)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]  # seen from outside
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    edges = [(0, 1), (1, 3), (3, 2), (2, 0), (4, 5), (5, 7), (7, 6), (6, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    return _mesh(points, triangles if addFaces else [], color, edges if addEdges else None, edgeColor)


def Brick(centerPoint=(0, 0, 0), size=(0.1, 0.1, 0.1), color=_BLACK, addNormals=False, addEdges=False,
          edgeColor=_BLACK, addFaces=True, roundness=0, nTiles=12):
    """Cuboid of a centre and side lengths."""
    low, high = np.asarray(centerPoint) - 0.5 * np.asarray(size), np.asarray(centerPoint) + 0.5 * np.asarray(size)
    return BrickXYZ(*low, *high, color, addNormals, addEdges, edgeColor, addFaces)


def SolidOfRevolution(pAxis, vAxis, contour, color=_BLACK, nTiles=16, smoothContour=False, addEdges=False,
                      edgeColor=_BLACK, addFaces=True, smoothingAngle=2 * pi, **kwargs):
    """A contour [[along the axis, radius], ...] turned about an axis through pAxis along vAxis."""
    axis, n1, n2 = ComputeOrthonormalBasisVectors(vAxis)
    angles = 2 * pi * np.arange(nTiles) / nTiles
    ring = np.outer(np.cos(angles), n1) + np.outer(np.sin(angles), n2)
    points = np.concatenate([np.asarray(pAxis, float) + x * axis + r * ring for x, r in contour])
    triangles = []
    for k in range(len(contour) - 1):
        for i in range(nTiles):
            a, b = k * nTiles + i, k * nTiles + (i + 1) % nTiles
            triangles += [(a, b, b + nTiles), (a, b + nTiles, a + nTiles)]
    return _mesh(points, triangles if addFaces else [], color)


def Cylinder(pAxis=(0, 0, 0), vAxis=(0, 0, 1), radius=0.1, color=_BLACK, nTiles=16, radiusInner=None,
             angleRange=(0, 2 * pi), lastFace=True, cutPlain=True, addEdges=False, edgeColor=_BLACK, addFaces=True,
             **kwargs):
    """Cylinder or tube from pAxis to pAxis + vAxis."""
    length, inner = float(np.linalg.norm(vAxis)), radiusInner or 0.
    contour = [[0, inner], [0, radius], [length, radius], [length, inner]]
    return SolidOfRevolution(pAxis, vAxis, contour + ([[0, inner]] if inner else []), color, nTiles, addFaces=addFaces)


def Sphere(point=(0, 0, 0), radius=0.1, color=_BLACK, nTiles=8, addEdges=False, edgeColor=_BLACK, addFaces=True,
           majorAngleMin=-0.5 * pi, majorAngleMax=0.5 * pi, innerRadius=None):
    """Sphere."""
    angles = np.linspace(majorAngleMin, majorAngleMax, max(3, nTiles + 1))
    contour = [[radius * np.sin(a), radius * max(0., np.cos(a))] for a in angles]
    return SolidOfRevolution(point, [0, 0, 1], contour, color, 2 * nTiles, addFaces=addFaces)


def RigidLink(p0, p1, axis0=(0, 0, 0), axis1=(0, 0, 0), radius=(0.1, 0.1), thickness=0.05, width=(0.05, 0.05),
              color=_BLACK, nTiles=16):
    """A bar from p0 to p1 with a pin at each end that has an axis."""
    link = Cylinder(p0, np.asarray(p1, float) - np.asarray(p0, float), thickness / 2, color, nTiles)
    for p, axis, r, w in ((p0, axis0, radius[0], width[0]), (p1, axis1, radius[1], width[1])):
        if np.linalg.norm(axis) > 0:
            v = w * np.asarray(axis, float) / np.linalg.norm(axis)
            link = MergeTriangleLists(link, Cylinder(np.asarray(p, float) - 0.5 * v, v, r, color, nTiles))
    return link


def Arrow(pAxis, vAxis, radius, color=_BLACK, headFactor=2, headStretch=4, nTiles=12):
    """Arrow from pAxis to pAxis + vAxis."""
    length, head = float(np.linalg.norm(vAxis)), headFactor * radius
    neck = max(0., length - headStretch * radius)
    return SolidOfRevolution(pAxis, vAxis, [[0, 0], [0, radius], [neck, radius], [neck, head], [length, 0]], color, nTiles)


def Basis(origin=(0, 0, 0), rotationMatrix=np.eye(3), length=1, colors=(color.red, color.green, color.blue),
          headFactor=2, headStretch=4, nTiles=12, **kwargs):
    """Three arrows along the columns of a rotation matrix."""
    radius = kwargs.get('radius', 0.01 * length)
    arrows = [Arrow(origin, length * np.asarray(rotationMatrix, float)[:, i], radius, colors[i], headFactor, headStretch,
                    nTiles) for i in range(3)]
    return MergeTriangleLists(MergeTriangleLists(arrows[0], arrows[1]), arrows[2])


def Frame(rotationMatrix=np.eye(3), originShift=(0, 0, 0), length=1, colors=(color.red, color.green, color.blue),
          **kwargs):
    """See Basis."""
    return Basis(originShift, rotationMatrix, length, colors, **kwargs)


def Quad(pList, color=_BLACK, **kwargs):
    """Quadrilateral of four points."""
    return _mesh(pList, [(0, 1, 2), (0, 2, 3)], color)


def CheckerBoard(point=(0, 0, 0), normal=(0, 0, 1), size=1, color=color.lightgrey, alternatingColor=color.lightgrey2,
                 nTiles=10, **kwargs):
    """Square of a size around a point, in two colours."""
    _, n1, n2 = ComputeOrthonormalBasisVectors(normal)
    board, step = None, size / nTiles
    corner = np.asarray(point, float) - 0.5 * size * (n1 + n2)
    for i in range(nTiles):
        for k in range(nTiles):
            p = corner + step * (i * n1 + k * n2)
            tile = Quad([p, p + step * n1, p + step * (n1 + n2), p + step * n2], (color, alternatingColor)[(i + k) % 2])
            board = tile if board is None else MergeTriangleLists(board, tile)
    return board


def Lines(pList, color=_BLACK):
    """Polygonal line through points."""
    return {'type': 'Line', 'color': list(color), 'data': np.asarray(pList, float).ravel().tolist()}


def Circle(point=(0, 0, 0), radius=1, color=_BLACK):
    """Circle in the xy plane."""
    return {'type': 'Circle', 'color': list(color), 'radius': radius, 'position': list(point), 'normal': [0., 0., 1.]}


def Text(point=(0, 0, 0), text='', color=_BLACK, fontSize=0.0, offset=(0.0, 0.0)):
    """A label."""
    return {'type': 'Text', 'color': list(color), 'text': text, 'position': list(point), 'fontSize': fontSize,
            'offset': list(offset)}


def fromInertia(data, color=None):
    """Shapes of an inertia's data (RigidBodyInertia.data) as a list."""
    color = color if color is not None and color[0] >= 0 else [0.3, 0.5, 0.8, 1.]
    if 'parts' in data:
        return [g for part in data['parts'] for g in fromInertia(part, color)]
    shape = data.get('shape')
    if shape == 'cuboid':
        g = Brick(size=data['sideLengths'], color=color)
    elif shape == 'sphere':
        g = Sphere(radius=data['radius'], color=color)
    elif shape in ('cylinder', 'rod'):
        length = data['length']
        axis = np.eye(3)[data.get('axis', 0)]
        g = Cylinder(-0.5 * length * axis, length * axis, data.get('outerRadius', 0.02 * length), color,
                     radiusInner=data.get('innerRadius'))
    else:
        return []
    T = data.get('transformation')
    return [g if T is None else Move(g, T[:3, 3], T[:3, :3])]
