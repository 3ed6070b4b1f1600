"""Trajectories of joint coordinates, pieced together from profiles.

    trajectory = Trajectory(initialCoordinates=[0, 0], initialTime=0)
    trajectory.Add(ProfileConstantAcceleration(finalCoordinates=[1, 0.5], duration=2))
    u, v, a = trajectory.Evaluate(t)
"""

import bisect

import numpy as np


class ProfileConstantAcceleration:
    """From rest to rest at finalCoordinates [n] within duration [s]: constant acceleration, then deceleration."""

    def __init__(self, finalCoordinates, duration):
        if not duration > 0:
            raise ValueError(f'ProfileConstantAcceleration: duration = {duration} s must be > 0')
        self.finalCoordinates, self.duration = np.array(finalCoordinates, float), duration

    def _shape(self, t):
        """Part of the way, and its two time derivatives, at time t since the beginning."""
        T = self.duration
        if t <= 0:
            return 0., 0., 0.
        if t >= T:
            return 1., 0., 0.
        if t < T / 2:
            return 2 * (t / T) ** 2, 4 * t / T**2, 4 / T**2
        return 1 - 2 * (1 - t / T) ** 2, 4 * (T - t) / T**2, -4 / T**2


class Trajectory:
    """Profiles one after the other. Before the first and after the last the coordinates rest."""

    def __init__(self, initialCoordinates, initialTime=0):
        self._ends, self._times, self._profiles = [np.array(initialCoordinates, float)], [initialTime], []

    def Add(self, profile):
        """Appends a profile."""
        if profile.finalCoordinates.shape != self._ends[0].shape:
            raise ValueError(f'Trajectory.Add: the profile has {profile.finalCoordinates.size} coordinates, '
                             f'the trajectory {self._ends[0].size}')
        self._profiles.append(profile)
        self._ends.append(profile.finalCoordinates)
        self._times.append(self._times[-1] + profile.duration)

    def Evaluate(self, t):
        """[coordinates, velocities, accelerations] at time t, each [n]."""
        if not self._profiles:
            return [self._ends[0].copy(), np.zeros_like(self._ends[0]), np.zeros_like(self._ends[0])]
        i = min(max(bisect.bisect_right(self._times, t) - 1, 0), len(self._profiles) - 1)
        part, rate, acceleration = self._profiles[i]._shape(t - self._times[i])
        way = self._ends[i + 1] - self._ends[i]
        return [self._ends[i] + part * way, rate * way, acceleration * way]

    def EvaluateCoordinate(self, t, coordinate):
        """[value, velocity, acceleration] of one coordinate at time t."""
        return [float(x[coordinate]) for x in self.Evaluate(t)]
