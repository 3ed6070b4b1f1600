"""The mini examples of the manual give the stated results."""

import unittest

import seeds


class MiniExamples(unittest.TestCase):

    def test_constraint_force_holds_the_torque(self):
        self.assertAlmostEqual(seeds.run(seeds.RELATIVE_ROTATION), 2, delta=1e-9)

    def test_torque_spins_a_body_up(self):
        self.assertAlmostEqual(seeds.run(seeds.TORQUE), 1, delta=1e-7)

    def test_coordinate_spring_with_user_function(self):
        self.assertAlmostEqual(seeds.run(seeds.COORDINATE_SPRING), 0.0019995154213252597, delta=1e-9)


if __name__ == '__main__':
    unittest.main()
