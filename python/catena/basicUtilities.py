"""Vectors and numbers without further ado."""

from math import *  # noqa: F401,F403 - scripts expect sin, cos, pi, ... here
from math import cos, pi, sqrt

import numpy as np

sqrt2 = sqrt(2)
g = 9.81  # [m/s^2]
eye2D = np.eye(2)
eye3D = np.eye(3)


def NormL2(vector):
    """Euclidean norm."""
    return sqrt(sum(float(x) ** 2 for x in vector))


def VSum(vector):
    """Sum of the components."""
    return sum(vector)


def VAdd(v0, v1):
    """v0 + v1 as a list."""
    return [a + b for a, b in zip(v0, v1, strict=True)]


def VSub(v0, v1):
    """v0 - v1 as a list."""
    return [a - b for a, b in zip(v0, v1, strict=True)]


def VMult(v0, v1):
    """Scalar product."""
    return sum(a * b for a, b in zip(v0, v1, strict=True))


def ScalarMult(scalar, v):
    """scalar * v as a list."""
    return [scalar * x for x in v]


def Normalize(v):
    """v / |v| as a list."""
    norm = NormL2(v)
    if norm == 0:
        raise ValueError('Normalize: the vector has length 0')
    return [x / norm for x in v]


def Vec2Tilde(v):
    """Skew-symmetric matrix with Vec2Tilde(v) @ w = v x w, as a list of rows."""
    return [[0., -v[2], v[1]], [v[2], 0., -v[0]], [-v[1], v[0], 0.]]


def Tilde2Vec(m):
    """Inverse of Vec2Tilde, as a list."""
    return [-m[1][2], m[0][2], -m[0][1]]


def DiagonalMatrix(rowsColumns, value=1):
    """value times the identity, as a list of rows."""
    return [[value if i == j else 0 for j in range(rowsColumns)] for i in range(rowsColumns)]


def _interval_rule(points, weights, function, a, b):
    half, middle = (b - a) / 2, (a + b) / 2
    return half * sum(w * function(middle + half * x) for x, w in zip(points, weights))


def GaussIntegrate(functionOfX, integrationOrder, a, b):
    """Integral over a .. b by Gauss-Legendre points, exact for polynomials up to integrationOrder."""
    points, weights = np.polynomial.legendre.leggauss(max(1, integrationOrder // 2 + 1))
    return _interval_rule(points, weights, functionOfX, a, b)


def LobattoIntegrate(functionOfX, integrationOrder, a, b):
    """Integral over a .. b by Gauss-Lobatto points, which include the ends, exact up to integrationOrder."""
    n = max(2, (integrationOrder + 4) // 2)
    legendre = np.polynomial.legendre.Legendre.basis(n - 1)
    points = np.concatenate([[-1.], np.sort(legendre.deriv().roots().real), [1.]])
    return _interval_rule(points, 2 / (n * (n - 1) * legendre(points) ** 2), functionOfX, a, b)
