"""Older names of the shapes in catena.graphics, and meshes."""

import numpy as np

from catena import graphics
from catena.graphics import color, colorList

color4red, color4green, color4blue = color.red, color.green, color.blue
color4cyan, color4magenta, color4yellow = color.cyan, color.magenta, color.yellow
color4orange, color4pink, color4lawngreen = color.orange, color.pink, color.lawngreen
color4violet, color4springgreen, color4dodgerblue = color.violet, color.springgreen, color.dodgerblue
color4grey, color4darkgrey, color4darkgrey2 = color.grey, color.darkgrey, color.darkgrey2
color4lightgrey, color4lightgrey2, color4white = color.lightgrey, color.lightgrey2, color.white
color4lightred, color4lightgreen, color4steelblue = color.lightred, color.lightgreen, color.steelblue
color4brown, color4black, color4default = color.brown, color.black, color.default
color4list = colorList

GraphicsDataOrthoCubePoint = graphics.Brick
GraphicsDataOrthoCube = graphics.BrickXYZ
GraphicsDataSphere = graphics.Sphere
GraphicsDataCylinder = graphics.Cylinder
GraphicsDataLine = graphics.Lines
GraphicsDataQuad = graphics.Quad
GraphicsDataCircle = graphics.Circle
GraphicsDataText = graphics.Text
GraphicsDataRigidLink = graphics.RigidLink
GraphicsDataSolidOfRevolution = graphics.SolidOfRevolution
GraphicsDataArrow = graphics.Arrow
GraphicsDataBasis = graphics.Basis
GraphicsDataFrame = graphics.Frame
GraphicsDataCheckerBoard = graphics.CheckerBoard
GraphicsDataFromPointsAndTrigs = graphics.FromPointsAndTrigs
GraphicsData2PointsAndTrigs = graphics.ToPointsAndTrigs
MoveGraphicsData = graphics.Move
MergeGraphicsDataTriangleList = graphics.MergeTriangleLists


def GraphicsDataRectangle(xMin, yMin, xMax, yMax, color=color.black):
    """Outline of a rectangle in the xy plane."""
    return graphics.Lines([[xMin, yMin, 0], [xMax, yMin, 0], [xMax, yMax, 0], [xMin, yMax, 0], [xMin, yMin, 0]], color)


def GraphicsDataOrthoCubeLines(xMin, yMin, zMin, xMax, yMax, zMax, color=color.black):
    """Edges of a cuboid as one line."""
    p = [[x, y, z] for z in (zMin, zMax) for y in (yMin, yMax) for x in (xMin, xMax)]
    return graphics.Lines([p[i] for i in (0, 1, 3, 2, 0, 4, 5, 7, 6, 4, 5, 1, 3, 7, 6, 2)], color)


def RefineMesh(points, triangles):
    """Every triangle in four; returns [points, triangles]."""
    points, middles, refined = [list(p) for p in np.asarray(points, float)], {}, []

    def middle(i, k):
        key = (min(i, k), max(i, k))
        if key not in middles:
            middles[key] = len(points)
            points.append((0.5 * (np.array(points[i]) + np.array(points[k]))).tolist())
        return middles[key]

    for a, b, c in np.asarray(triangles, int):
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        refined += [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    return [np.array(points), np.array(refined)]


def ShrinkMeshNormalToSurface(points, triangles, distance):
    """The points moved inwards by a distance along the mean normal of their triangles."""
    points, triangles = np.asarray(points, float), np.asarray(triangles, int)
    normals = np.zeros_like(points)
    for t in triangles:
        n = np.cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]])
        normals[t] += n / max(np.linalg.norm(n), 1e-300)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return points - distance * normals / np.maximum(lengths, 1e-300)
