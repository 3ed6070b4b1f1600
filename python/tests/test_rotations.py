"""Rotations and inertia: facts of geometry and mechanics."""

import unittest

import numpy as np

from catena.rigidBodyUtilities import *  # noqa: F403
from catena.rigidBodyUtilities import (AngularVelocity2EulerParameters_t, AngularVelocity2RotXYZ_t, EulerParameters2G,
                                       EulerParameters2GLocal, EulerParameters2RotationMatrix, HTrotateZ, HTtranslate,
                                       InertiaCuboid, InertiaCylinder, InertiaMassPoint, InertiaSphere, InverseHT,
                                       RigidBodyInertia, RotationMatrix2EulerParameters, RotationMatrix2RotationVector,
                                       RotationMatrix2RotXYZ, RotationMatrixZ, RotationVector2G,
                                       RotationVector2RotationMatrix, RotXYZ2G, RotXYZ2G_t, RotXYZ2RotationMatrix, Skew,
                                       Skew2Vec)

ANGLES = np.array([0.3, -0.8, 1.9])


def spin(A, A_t):
    """Angular velocity in the world frame."""
    return Skew2Vec(A_t @ A.T)


def rate(function, x, x_t, h=1e-6):
    return (function(x + h * x_t) - function(x - h * x_t)) / (2 * h)


class Rotations(unittest.TestCase):

    def test_conversions_are_inverse_to_each_other(self):
        for v in ([0.1, 0.2, -0.3], [3, 0.1, 0], [0, 0, 0], [1e-9, 0, 0], [0, -3.1, 0.2], [1, 2, 2]):
            A = RotationVector2RotationMatrix(v)
            np.testing.assert_allclose(A @ A.T, np.eye(3), atol=1e-14)
            np.testing.assert_allclose(EulerParameters2RotationMatrix(RotationMatrix2EulerParameters(A)), A, atol=1e-14)
            np.testing.assert_allclose(RotXYZ2RotationMatrix(RotationMatrix2RotXYZ(A)), A, atol=1e-14)
            np.testing.assert_allclose(RotationMatrix2RotationVector(A), v, atol=1e-12)

    def test_rates_give_the_angular_velocity(self):
        rates = np.array([0.5, -1.1, 0.7])
        A, A_t = RotXYZ2RotationMatrix(ANGLES), rate(RotXYZ2RotationMatrix, ANGLES, rates)
        omega = spin(A, A_t)
        np.testing.assert_allclose(RotXYZ2G(ANGLES) @ rates, omega, atol=1e-9)
        np.testing.assert_allclose(AngularVelocity2RotXYZ_t(omega, ANGLES), rates, atol=1e-9)
        np.testing.assert_allclose(RotXYZ2G_t(ANGLES, rates), rate(RotXYZ2G, ANGLES, rates), atol=1e-9)
        B, B_t = RotationVector2RotationMatrix(ANGLES), rate(RotationVector2RotationMatrix, ANGLES, rates)
        np.testing.assert_allclose(RotationVector2G(ANGLES) @ rates, spin(B, B_t), atol=1e-9)

    def test_euler_parameter_rates(self):
        e, omega = RotationMatrix2EulerParameters(RotXYZ2RotationMatrix(ANGLES)), np.array([1, 2, 3.])
        e_t = AngularVelocity2EulerParameters_t(omega, e)
        np.testing.assert_allclose(EulerParameters2G(e) @ e_t, omega, atol=1e-14)
        np.testing.assert_allclose(EulerParameters2RotationMatrix(e) @ EulerParameters2GLocal(e) @ e_t, omega, atol=1e-14)
        np.testing.assert_allclose(spin(EulerParameters2RotationMatrix(e), rate(EulerParameters2RotationMatrix, e, e_t)),
                                   omega, atol=1e-8)

    def test_homogeneous_transformations(self):
        T = HTtranslate([1, 2, 3]) @ HTrotateZ(0.4)
        np.testing.assert_allclose(InverseHT(T) @ T, np.eye(4), atol=1e-15)


class Inertia(unittest.TestCase):

    def test_two_halves_make_the_whole(self):
        whole = InertiaCuboid(1000, [2, 0.3, 0.1])
        half = InertiaCuboid(1000, [1, 0.3, 0.1])
        both = half.Translated([0.5, 0, 0]) + half.Translated([-0.5, 0, 0])
        np.testing.assert_allclose(both.Inertia(), whole.Inertia(), rtol=1e-12)
        np.testing.assert_allclose(both.COM(), [0, 0, 0], atol=1e-15)
        self.assertAlmostEqual(both.Mass(), whole.Mass(), delta=1e-12)

    def test_steiner(self):
        point = InertiaMassPoint(2).Translated([0, 3, 0])
        np.testing.assert_allclose(point.GetInertia6D(), [18, 0, 18, 0, 0, 0])
        np.testing.assert_allclose(point.InertiaCOM(), np.zeros((3, 3)))

    def test_turning_a_cylinder(self):
        along_x, along_y = (InertiaCylinder(1000, 1, 0.1, axis=i) for i in (0, 1))
        np.testing.assert_allclose(along_x.Rotated(RotationMatrixZ(np.pi / 2)).Inertia(), along_y.Inertia(), atol=1e-12)
        T = HTtranslate([1, 2, 3]) @ HTrotateZ(np.pi / 2)
        np.testing.assert_allclose(along_x.Transformed(T).Inertia(), along_y.Translated([1, 2, 3]).Inertia(), rtol=1e-12)

    def test_sphere_by_mass_and_by_density(self):
        a = InertiaSphere(mass=1000 * 4 / 3 * np.pi * 0.001, radius=0.1)
        np.testing.assert_allclose(a.Inertia(), InertiaSphere(density=1000, radius=0.1).Inertia(), rtol=1e-14)
        np.testing.assert_allclose(Skew([1, 2, 3]) @ [4, 5, 6], np.cross([1, 2, 3], [4, 5, 6]))
        self.assertEqual(RigidBodyInertia(1, np.eye(3), [0, 0, 1], inertiaTensorAtCOM=True).Inertia()[0, 0], 2)


if __name__ == '__main__':
    unittest.main()
