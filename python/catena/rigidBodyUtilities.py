"""Rotations, homogeneous transformations, inertia.

Conventions: rotation matrices A map body components to world components; Euler parameters [e0, e1, e2, e3] have the
scalar part first; angles are in radians; Tait-Bryan angles xyz mean A = Rx Ry Rz.
"""

from math import sqrt as _sqrt

import numpy as np
from numpy import cos, sin

from catena.enums import JointType

eulerParameters0 = [1., 0., 0., 0.]  # no rotation


# --- vectors and bases -------------------------------------------------------------------------------------------


def _norm(v):
    """Length of a vector; numpy's takes four times as long for three numbers."""
    return _sqrt(v @ v)


def _cross(a, b):
    """Cross product of two vectors [3]; numpy's takes ten times as long."""
    a0, a1, a2 = a
    b0, b1, b2 = b
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def Skew(vector):
    """Matrix [3 x 3] with Skew(v) @ w = v x w."""
    x, y, z = vector
    return np.array([[0., -z, y], [z, 0., -x], [-y, x, 0.]])


def Skew2Vec(skew):
    """Vector [3] of a skew-symmetric matrix."""
    return np.array([skew[2][1], skew[0][2], skew[1][0]])


def ComputeSkewMatrix(v):
    """Skew matrices of the vectors in v [3 n] one below the other, [3 n x 3]; of a matrix [3 n x m], [3 n x 3 m]."""
    v = np.asarray(v, float)
    columns = v.reshape(len(v), -1)
    return np.vstack([np.hstack([Skew(columns[i:i + 3, j]) for j in range(columns.shape[1])])
                      for i in range(0, len(columns), 3)])


def basis_around(vector):
    """The vectors of ComputeOrthonormalBasisVectors as tuples, from a list; numpy takes five times as long."""
    x, y, z = vector
    length = _sqrt(x * x + y * y + z * z)
    if length == 0:
        raise ValueError('ComputeOrthonormalBasisVectors: the vector has length 0')
    x, y, z = x / length, y / length, z / length
    if abs(x) > 0.5 and abs(y) < 0.1 and abs(z) < 0.1:
        a, b, c = -y * x, 1 - y * y, -y * z
    else:
        a, b, c = 1 - x * x, -x * y, -x * z
    length = _sqrt(a * a + b * b + c * c)
    a, b, c = a / length, b / length, c / length
    return (x, y, z), (a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)


def ComputeOrthonormalBasisVectors(vector0):
    """[v, n1, n2]: v along vector0 and two unit vectors that make a right-handed basis with it."""
    return list(ComputeOrthonormalBasis(vector0).T)


def ComputeOrthonormalBasis(vector0):
    """The basis of ComputeOrthonormalBasisVectors as columns of a matrix [3 x 3]."""
    return np.array(basis_around(np.asarray(vector0, float).tolist())).T


def GramSchmidt(vector0, vector1):
    """[v0, v1, v2]: unit vectors along vector0, along the part of vector1 normal to it, and their cross product."""
    v0 = np.array(vector0, float)
    v0 = v0 / _norm(v0)
    v1 = np.array(vector1, float)
    v1 = v1 - (v1 @ v0) * v0
    v1 = v1 / _norm(v1)
    return [v0, v1, _cross(v0, v1)]


# --- Euler parameters --------------------------------------------------------------------------------------------


def EulerParameters2G(eulerParameters):
    """Matrix [3 x 4]: angular velocity in the world frame = G e'."""
    e0, e1, e2, e3 = eulerParameters
    return 2 * np.array([[-e1, e0, -e3, e2], [-e2, e3, e0, -e1], [-e3, -e2, e1, e0]])


def EulerParameters2GLocal(eulerParameters):
    """Matrix [3 x 4]: angular velocity in the body frame = GLocal e'."""
    e0, e1, e2, e3 = eulerParameters
    return 2 * np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])


def EulerParameters2RotationMatrix(eulerParameters):
    """Rotation matrix [3 x 3]."""
    e0, *e = eulerParameters
    S = Skew(e)
    return np.eye(3) + 2 * e0 * S + 2 * S @ S


def RotationMatrix2EulerParameters(rotationMatrix):
    """Euler parameters [4] of unit norm."""
    (a, b, c), (d, e, f), (g, h, i) = np.asarray(rotationMatrix, float).tolist()
    squares = (1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i)  # 4 e_i^2
    k = 0 if squares[0] > 1 else squares.index(max(squares))
    w2 = squares[k]
    x, y, z = h - f, c - g, d - b       # 4 e0 e_i
    xy, xz, yz = b + d, c + g, f + h    # 4 e_i e_j
    p, q, r, s = ((w2, x, y, z), (x, w2, xy, xz), (y, xy, w2, yz), (z, xz, yz, w2))[k]
    norm = _sqrt(p * p + q * q + r * r + s * s)
    return np.array([p / norm, q / norm, r / norm, s / norm])


def AngularVelocity2EulerParameters_t(angularVelocity, eulerParameters):
    """Rates [4] of the Euler parameters for an angular velocity [3] in the world frame."""
    return 0.25 * EulerParameters2G(eulerParameters).T @ np.asarray(angularVelocity, float)


# --- rotation vector ---------------------------------------------------------------------------------------------


def _sinc_terms(angle):
    """sin(a)/a, (1 - cos a)/a^2, (a - sin a)/a^3."""
    if angle < 1e-3:
        a2 = angle * angle
        return 1 - a2 / 6 + a2 * a2 / 120, 0.5 - a2 / 24 + a2 * a2 / 720, 1 / 6 - a2 / 120 + a2 * a2 / 5040
    return sin(angle) / angle, 2 * (sin(angle / 2) / angle) ** 2, (angle - sin(angle)) / angle ** 3


def RotationVector2RotationMatrix(rotationVector):
    """Rotation matrix [3 x 3] for a rotation by |v| about v."""
    v = np.asarray(rotationVector, float)
    s, c, _ = _sinc_terms(np.linalg.norm(v))
    S = Skew(v)
    return np.eye(3) + s * S + c * S @ S


def RotationMatrix2RotationVector(rotationMatrix):
    """Rotation vector [3], its angle in 0 .. pi."""
    e0, *e = RotationMatrix2EulerParameters(rotationMatrix)
    e = np.array(e)
    if e0 < 0:
        e0, e = -e0, -e
    norm = np.linalg.norm(e)
    if norm < 1e-8:
        return 2 * e
    return 2 * np.arctan2(norm, e0) / norm * e


def RotationVector2G(rotationVector):
    """Matrix [3 x 3]: angular velocity in the world frame = G v'."""
    v = np.asarray(rotationVector, float)
    _, c, d = _sinc_terms(np.linalg.norm(v))
    S = Skew(v)
    return np.eye(3) + c * S + d * S @ S


def RotationVector2GLocal(rotationVector):
    """Matrix [3 x 3]: angular velocity in the body frame = GLocal v'."""
    return RotationVector2G(rotationVector).T


# --- Tait-Bryan angles -------------------------------------------------------------------------------------------


def RotationMatrixX(angleRad):
    """Rotation about x."""
    c, s = cos(angleRad), sin(angleRad)
    return np.array([[1., 0., 0.], [0., c, -s], [0., s, c]])


def RotationMatrixY(angleRad):
    """Rotation about y."""
    c, s = cos(angleRad), sin(angleRad)
    return np.array([[c, 0., s], [0., 1., 0.], [-s, 0., c]])


def RotationMatrixZ(angleRad):
    """Rotation about z."""
    c, s = cos(angleRad), sin(angleRad)
    return np.array([[c, -s, 0.], [s, c, 0.], [0., 0., 1.]])


def RotationMatrix2D(angleRad):
    """Rotation in the plane, [2 x 2]."""
    return RotationMatrixZ(angleRad)[:2, :2]


def RotXYZ2RotationMatrix(rot):
    """Rx(rot[0]) Ry(rot[1]) Rz(rot[2])."""
    return RotationMatrixX(rot[0]) @ RotationMatrixY(rot[1]) @ RotationMatrixZ(rot[2])


def RotationMatrix2RotXYZ(rotationMatrix):
    """Angles [3]; where they are not unique (second angle +-pi/2) the first one is 0."""
    A = np.asarray(rotationMatrix, float)
    cosine = np.hypot(A[0, 0], A[0, 1])
    if cosine < 1e-12:
        return np.array([0., np.arctan2(A[0, 2], cosine), np.arctan2(A[1, 0], A[1, 1])])
    return np.array([np.arctan2(-A[1, 2], A[2, 2]), np.arctan2(A[0, 2], cosine), np.arctan2(-A[0, 1], A[0, 0])])


def RotXYZ2G(rot):
    """Matrix [3 x 3]: angular velocity in the world frame = G rot'."""
    Rx = RotationMatrixX(rot[0])
    return np.column_stack([[1., 0., 0.], Rx[:, 1], (Rx @ RotationMatrixY(rot[1]))[:, 2]])


def RotXYZ2G_t(rot, rot_t):
    """Time derivative of RotXYZ2G."""
    c0, s0, c1, s1 = cos(rot[0]), sin(rot[0]), cos(rot[1]), sin(rot[1])
    a, b = rot_t[0], rot_t[1]
    return np.array([[0., 0., c1 * b], [0., -s0 * a, -c0 * c1 * a + s0 * s1 * b],
                     [0., c0 * a, -s0 * c1 * a - c0 * s1 * b]])


def RotXYZ2GLocal(rot):
    """Matrix [3 x 3]: angular velocity in the body frame = GLocal rot'."""
    return RotXYZ2RotationMatrix(rot).T @ RotXYZ2G(rot)


def AngularVelocity2RotXYZ_t(angularVelocity, rotation):
    """Rates [3] of the angles for an angular velocity in the world frame."""
    return np.linalg.solve(RotXYZ2G(rotation), np.asarray(angularVelocity, float))


def RotXYZ2EulerParameters(alpha):
    """Euler parameters [4] of Tait-Bryan angles."""
    return RotationMatrix2EulerParameters(RotXYZ2RotationMatrix(alpha))


# --- homogeneous transformations ---------------------------------------------------------------------------------


def HomogeneousTransformation(A, r):
    """Matrix [4 x 4] of rotation A and translation r."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = A, r
    return T


HT = HomogeneousTransformation


def HT0():
    """The identity."""
    return np.eye(4)


def HTtranslate(r):
    """Translation by r [3]."""
    return HT(np.eye(3), r)


def HTtranslateX(x):
    """Translation along x."""
    return HTtranslate([x, 0, 0])


def HTtranslateY(y):
    """Translation along y."""
    return HTtranslate([0, y, 0])


def HTtranslateZ(z):
    """Translation along z."""
    return HTtranslate([0, 0, z])


def HTrotateX(angle):
    """Rotation about x."""
    return HT(RotationMatrixX(angle), [0, 0, 0])


def HTrotateY(angle):
    """Rotation about y."""
    return HT(RotationMatrixY(angle), [0, 0, 0])


def HTrotateZ(angle):
    """Rotation about z."""
    return HT(RotationMatrixZ(angle), [0, 0, 0])


def HT2translation(T):
    """Translation [3]."""
    return np.array(T)[:3, 3]


def HT2rotationMatrix(T):
    """Rotation [3 x 3]."""
    return np.array(T)[:3, :3]


def InverseHT(T):
    """The inverse transformation."""
    A = HT2rotationMatrix(T)
    return HT(A.T, -A.T @ HT2translation(T))


# --- inertia -----------------------------------------------------------------------------------------------------


def InertiaTensor2Inertia6D(inertiaTensor):
    """[xx, yy, zz, yz, xz, xy] of a tensor [3 x 3]."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = np.asarray(inertiaTensor, float).tolist()
    return np.array([xx, yy, zz, yz, xz, xy])


def Inertia6D2InertiaTensor(inertia6D):
    """Tensor [3 x 3] of [xx, yy, zz, yz, xz, xy]."""
    xx, yy, zz, yz, xz, xy = inertia6D
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], float)


def _parallel_axis(mass, com):
    """Inertia of a mass point about the origin."""
    S = Skew(com)
    return mass * S.T @ S


class RigidBodyInertia:
    """Mass [kg], inertia tensor [3 x 3] about the reference point [kg m^2] and centre of mass [3] from it [m].

    a + b joins two bodies with the same reference point; Translated, Rotated and Transformed give new bodies.
    """

    def __init__(self, mass=0, inertiaTensor=np.zeros([3, 3]), com=np.zeros(3), inertiaTensorAtCOM=False, data=None):
        self.mass = mass
        self.com = np.array(com, float)
        tensor = np.array(inertiaTensor, float)
        if tensor.shape != (3, 3):
            raise ValueError(f'RigidBodyInertia: the inertia tensor must be a matrix [3 x 3], its shape is {tensor.shape}')
        self.inertiaTensor = tensor + _parallel_axis(mass, self.com) if inertiaTensorAtCOM else tensor
        self.data = dict(data or {})
        self._graphics = {}  # by colour, so that many bodies of one shape share it
        self._warn()

    def _warn(self):
        J = self.InertiaCOM()
        moments = np.linalg.eigvalsh(0.5 * (J + J.T))
        if moments[2] > moments[0] + moments[1] + 1e-9 * max(1e-300, np.abs(J).max()) + 1e-14:
            print(f'RigidBodyInertia: the principal moments {moments} belong to no distribution of mass: '
                  'one exceeds the sum of the others')

    def SetWithCOMinertia(self, mass, inertiaTensorCOM, com):
        """Sets all from the tensor about the centre of mass."""
        self.mass, self.com = mass, np.array(com, float)
        self.inertiaTensor = np.array(inertiaTensorCOM, float) + _parallel_axis(mass, self.com)

    def Mass(self):
        """Mass [kg]."""
        return self.mass

    def COM(self):
        """Centre of mass [3] from the reference point [m]."""
        return self.com

    def Inertia(self):
        """Tensor about the reference point."""
        return self.inertiaTensor

    def InertiaCOM(self):
        """Tensor about the centre of mass."""
        return self.inertiaTensor - _parallel_axis(self.mass, self.com)

    def GetInertia6D(self):
        """[xx, yy, zz, yz, xz, xy] about the reference point."""
        return InertiaTensor2Inertia6D(self.inertiaTensor)

    def Translated(self, vec):
        """The body moved by vec [3] relative to the reference point."""
        com = self.com + np.asarray(vec, float)
        return RigidBodyInertia(self.mass, self.InertiaCOM() + _parallel_axis(self.mass, com), com,
                                data=self._moved(np.eye(3), vec))

    def Rotated(self, rot):
        """The body turned by a rotation matrix about the reference point, which must be its centre of mass."""
        if np.linalg.norm(self.com) != 0:
            raise ValueError('RigidBodyInertia.Rotated: the centre of mass must be the reference point; use Transformed')
        R = np.asarray(rot, float)
        return RigidBodyInertia(self.mass, R @ self.inertiaTensor @ R.T, self.com, data=self._moved(R, [0, 0, 0]))

    def Transformed(self, HT):
        """The body turned and then moved by a homogeneous transformation [4 x 4]."""
        R, r = HT2rotationMatrix(HT), HT2translation(HT)
        com = r + R @ self.com
        return RigidBodyInertia(self.mass, R @ self.InertiaCOM() @ R.T + _parallel_axis(self.mass, com), com,
                                data=self._moved(R, r))

    def __add__(self, other):
        if not isinstance(other, RigidBodyInertia):
            return NotImplemented
        mass = self.mass + other.mass
        com = (self.mass * self.com + other.mass * other.com) / mass if mass else np.zeros(3)
        return RigidBodyInertia(mass, self.inertiaTensor + other.inertiaTensor, com,
                                data={'parts': [self.data, other.data]})

    def __iadd__(self, other):
        total = self + other
        if total is NotImplemented:
            return total
        self.__dict__.update(total.__dict__)
        return self

    def _moved(self, R, r):
        if not self.data:
            return {}
        return {**self.data, 'transformation': HomogeneousTransformation(R, r) @ self.data.get('transformation', np.eye(4))}

    def GetTypeName(self):
        """Name of the class."""
        return type(self).__name__

    def GetSpecialData(self):
        """Shape of the body: dictionary with shape and dimensions."""
        return self.data

    def GetGraphics(self, color=None, nTiles=None, roundness=None):
        """Graphics of the shape as a list of dictionaries; empty without shape."""
        from catena import graphics
        key = None if color is None else tuple(color)
        if key not in self._graphics:
            self._graphics[key] = graphics.fromInertia(self.data, color)
        return list(self._graphics[key])

    def __repr__(self):
        return f'{self.GetTypeName()}(mass={self.mass}, com={self.com.tolist()}, inertia6D={self.GetInertia6D().tolist()})'


class InertiaCuboid(RigidBodyInertia):
    """Cuboid of a density [kg/m^3] and side lengths [3] [m] about its centre."""

    def __init__(self, density, sideLengths):
        a, b, c = (float(L) for L in sideLengths)
        mass = density * a * b * c
        RigidBodyInertia.__init__(self, mass, mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b]),
                                  data={'shape': 'cuboid', 'sideLengths': [a, b, c]})


class InertiaRodX(RigidBodyInertia):
    """Thin rod along x about its centre."""

    def __init__(self, mass, length):
        J = mass * length ** 2 / 12
        RigidBodyInertia.__init__(self, mass, np.diag([0., J, J]), data={'shape': 'rod', 'length': length})


class InertiaMassPoint(RigidBodyInertia):
    """Mass point."""

    def __init__(self, mass):
        RigidBodyInertia.__init__(self, mass)


class InertiaSphere(RigidBodyInertia):
    """Solid sphere, given by mass or density, about its centre."""

    def __init__(self, mass=None, radius=None, density=None):
        if radius is None or (mass is None) == (density is None):
            raise ValueError('InertiaSphere: give radius and either mass or density')
        if mass is None:
            mass = density * 4 / 3 * np.pi * radius ** 3
        RigidBodyInertia.__init__(self, mass, 0.4 * mass * radius ** 2 * np.eye(3),
                                  data={'shape': 'sphere', 'radius': radius})


class InertiaHollowSphere(RigidBodyInertia):
    """Thin spherical shell about its centre."""

    def __init__(self, mass, radius):
        RigidBodyInertia.__init__(self, mass, 2 / 3 * mass * radius ** 2 * np.eye(3),
                                  data={'shape': 'sphere', 'radius': radius})


class InertiaCylinder(RigidBodyInertia):
    """Cylinder or tube of a density along axis 0, 1 or 2 (x, y, z) about its centre."""

    def __init__(self, density, length, outerRadius, axis, innerRadius=0):
        if axis not in (0, 1, 2):
            raise ValueError(f'InertiaCylinder: axis = {axis} must be 0, 1 or 2')
        mass = density * length * np.pi * (outerRadius ** 2 - innerRadius ** 2)
        squares = outerRadius ** 2 + innerRadius ** 2
        moments = np.full(3, mass / 12 * (3 * squares + length ** 2))
        moments[axis] = 0.5 * mass * squares
        RigidBodyInertia.__init__(self, mass, np.diag(moments),
                                  data={'shape': 'cylinder', 'length': length, 'outerRadius': outerRadius,
                                        'innerRadius': innerRadius, 'axis': axis})


class TreeLink:
    """A link of a kinematic tree, for mbs.CreateKinematicTree.

    linkInertia: RigidBodyInertia in the frame of the link; jointType: JointType; jointHT [4 x 4]: frame of the joint in
    the parent; parent: number of a link before it, -1 base, None the link before it; PDcontrol: (stiffness, damping) of
    the joint or None.
    """

    def __init__(self, linkInertia, jointType=JointType.RevoluteZ, jointHT=np.eye(4), parent=None, PDcontrol=None,
                 graphicsDataList=None):
        if not isinstance(linkInertia, RigidBodyInertia):
            raise TypeError(f'TreeLink: linkInertia must be of class RigidBodyInertia, found {linkInertia!r}')
        self.linkInertia, self.jointType, self.jointHT = linkInertia, jointType, np.array(jointHT, float)
        self.parent, self.PDcontrol, self.graphicsDataList = parent, PDcontrol, graphicsDataList


# --- nodes and joints with all coordinates at once ---------------------------------------------------------------


# Of the nodes of rigid bodies: type and functions from parameters to the rotation matrix and back.
_RIGID_NODES = {
    'RotationEulerParameters': ('RigidBodyEP', EulerParameters2RotationMatrix, RotationMatrix2EulerParameters),
    'RotationRxyz': ('RigidBodyRxyz', RotXYZ2RotationMatrix, RotationMatrix2RotXYZ),
    'RotationRotationVector': ('RigidBodyRotVecLG', RotationVector2RotationMatrix, RotationMatrix2RotationVector)}


def _rigid_node(nodeType):
    name = getattr(nodeType, 'name', str(nodeType)).replace('NodeType.', '')
    if name not in _RIGID_NODES:
        raise ValueError(f'node type {name} is no rigid body; use one of {", ".join(_RIGID_NODES)}')
    return _RIGID_NODES[name]


def _rotation_rates(kind, parameters, matrix, angular_velocity):
    """Rates of rotation parameters for an angular velocity [3] in the world frame."""
    if kind == 'RigidBodyEP':
        return AngularVelocity2EulerParameters_t(angular_velocity, parameters)
    if kind == 'RigidBodyRxyz':
        return AngularVelocity2RotXYZ_t(angular_velocity, parameters)
    return matrix.T @ np.asarray(angular_velocity, float)


def rigid_coordinates(nodeType, matrix, angular_velocity):
    """Type of the node of a rigid body, its rotation parameters and their rates as lists, from arrays."""
    kind, _, from_matrix = _rigid_node(nodeType)
    parameters = from_matrix(matrix)
    if not any(angular_velocity.tolist()):
        return kind, parameters.tolist(), [0.] * len(parameters)
    return kind, parameters.tolist(), list(_rotation_rates(kind, parameters, matrix, angular_velocity))


def GetRigidBodyNode(nodeType, position=(0, 0, 0), velocity=(0, 0, 0), rotationMatrix=(), rotationParameters=(),
                     angularVelocity=(0, 0, 0)):
    """Node for a rigid body at a position and rotation with velocities [3], [3] in the world frame.

    nodeType: NodeType.RotationEulerParameters, RotationRxyz or RotationRotationVector.
    Give either rotationMatrix [3 x 3] or rotationParameters of that kind of node; none = no rotation.
    """
    from catena.itemInterface import TYPES
    kind, to_matrix, from_matrix = _rigid_node(nodeType)
    if len(rotationParameters):
        parameters = np.asarray(rotationParameters, float)
        matrix = to_matrix(parameters)
    else:
        matrix = np.asarray(rotationMatrix, float) if len(rotationMatrix) else np.eye(3)
        parameters = from_matrix(matrix)
    rates = _rotation_rates(kind, parameters, matrix, angularVelocity)
    return TYPES['node', kind](referenceCoordinates=np.concatenate([position, parameters]),
                               initialVelocities=np.concatenate([velocity, rates]))


def AddRigidBody(mainSys, inertia, nodeType, position=(0, 0, 0), velocity=(0, 0, 0), rotationMatrix=(),
                 rotationParameters=(), angularVelocity=(0, 0, 0), gravity=(0, 0, 0), graphicsDataList=()):
    """Adds node, rigid body and gravity; returns [nodeNumber, bodyNumber]. Simpler: mbs.CreateRigidBody."""
    node = mainSys.AddNode(GetRigidBodyNode(nodeType, position, velocity, rotationMatrix, rotationParameters,
                                            angularVelocity))
    body = mainSys._add_body_with_gravity(node, inertia, gravity, graphicsDataList)[0]
    return [node, body]


def AddRevoluteJoint(mbs, body0, body1, point, axis, useGlobalFrame=True, showJoint=True, axisRadius=0.1,
                     axisLength=0.4):
    """See mbs.CreateRevoluteJoint."""
    return mbs.CreateRevoluteJoint(bodyNumbers=[body0, body1], position=point, axis=axis, useGlobalFrame=useGlobalFrame,
                                   show=showJoint, axisRadius=axisRadius, axisLength=axisLength)


def AddPrismaticJoint(mbs, body0, body1, point, axis, useGlobalFrame=True, showJoint=True, axisRadius=0.1,
                      axisLength=0.4):
    """See mbs.CreatePrismaticJoint."""
    return mbs.CreatePrismaticJoint(bodyNumbers=[body0, body1], position=point, axis=axis, useGlobalFrame=useGlobalFrame,
                                    show=showJoint, axisRadius=axisRadius, axisLength=axisLength)
