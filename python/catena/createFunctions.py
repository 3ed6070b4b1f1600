"""mbs.Create...(): bodies, springs, joints and loads with all their nodes and markers in one call.

Bodies are given by the ObjectIndex that the functions return. Positions, axes and rotations of joints are in the world
frame in the reference configuration, or in the frame of body 0 with useGlobalFrame=False.
"""

import numpy as np

from catena import rigidBodyUtilities as rb
from catena.enums import NodeType
from catena.errors import NotAvailableError
from catena.graphics import color as _color
from catena.indices import MarkerIndex, NodeIndex
from catena.itemInterface import TYPES
from catena import _catena

_OBJECT = _catena.Category.object
_NODE = _catena.Category.node
_NONE2 = (None, None)
_ZERO3 = (0, 0, 0)


def _vector(value, n, what):
    v = np.array(value, float)
    if v.shape != (n,):
        raise ValueError(f'{what} must have {n} values, found {value!r}')
    return v


def _matrix(value, what):
    m = np.array(value, float)
    if m.shape != (3, 3):
        raise ValueError(f'{what} must be a matrix [3 x 3], found shape {m.shape}')
    return m


class CreateFunctions:
    """The Create functions of MainSystem."""

    # --- helpers -----------------------------------------------------------------------------------------------

    def _new(self, category, type_name, **parameters):
        """Adds an item of a type that may not exist yet."""
        if (category, type_name) not in TYPES:
            raise NotAvailableError(f'{category} {type_name} is not available yet')
        return self._add_parameters(category, type_name, parameters, parameters.pop('visualization', None))

    @staticmethod
    def _two(function, bodyNumbers, *others):
        """The pair of bodies, from whichever of the arguments was given."""
        for pair in (bodyNumbers, *others):
            if pair is None:
                continue
            if len(pair) != 2:
                raise ValueError(f'{function}: bodyNumbers must have two entries, found {pair!r}')
            if pair[0] is not None or pair[1] is not None:
                if pair[0] is None or pair[1] is None:
                    raise ValueError(f'{function}: both bodyNumbers are needed, found {list(pair)!r}')
                return pair
        raise ValueError(f'{function}: bodyNumbers is missing; give the indices of two bodies')

    def _reference_frame(self, body):
        """Position [3] and rotation [3 x 3] of a body or node in the reference configuration."""
        if isinstance(body, NodeIndex):
            return self._core.referenceFrame(_NODE, int(body))
        if isinstance(body, MarkerIndex):
            parameters = self.GetMarker(body)
            if 'nodeNumber' in parameters:
                return self._core.referenceFrame(_NODE, int(parameters['nodeNumber']))
            position, rotation = self._core.referenceFrame(_OBJECT, int(parameters['bodyNumber']))
            return position + rotation @ np.asarray(parameters.get('localPosition', _ZERO3)), rotation
        return self._core.referenceFrame(_OBJECT, int(body))

    def _marker(self, body, local, kind, name, show):
        """Marker of kind Position or Rigid at a local position of a body, or at a node, or a marker itself."""
        if isinstance(body, MarkerIndex):
            return body
        visualization = {'show': show}
        if isinstance(body, NodeIndex):
            return self._new('marker', 'Node' + kind, name=name, nodeNumber=body, visualization=visualization)
        return self._new('marker', 'Body' + kind, name=name, bodyNumber=body, localPosition=local,
                         visualization=visualization)

    def _markers(self, bodies, locals_, kind, name, show):
        names = [f'Marker{i}:{name}' if name else '' for i in range(2)]
        return [self._marker(bodies[i], locals_[i], kind, names[i], show) for i in range(2)]

    def _joint_locals(self, bodies, position, rotation, useGlobalFrame):
        """Local positions and joint frames in both bodies from the joint's position and frame."""
        local0, local1, rotation0, rotation1 = _catena.jointFrames(
            *self._reference_frame(bodies[0]), *self._reference_frame(bodies[1]), position, rotation, useGlobalFrame)
        return [local0, local1], rotation0, rotation1

    def _add_body_with_gravity(self, node, inertia, gravity, graphics, name='', show=True, planar=False):
        """Rigid body on a node and its gravity: (body, mass marker or None, load or None)."""
        J = inertia.inertiaTensor[2, 2] if planar else inertia.GetInertia6D()
        parameters = {'mass': inertia.mass, 'inertia': J, 'nodeNumber': node}
        if any(inertia.com.tolist()):
            parameters['centerOfMass'] = inertia.com[:2] if planar else inertia.com
        body = self._new('object', 'RigidBody2D' if planar else 'RigidBody', name=name, **parameters,
                         visualization={'show': show, 'graphicsData': list(graphics)})
        return (body, *self._add_gravity(body, gravity, name))

    def _add_gravity(self, body, gravity, name=''):
        gravity = _vector(gravity, 3, 'gravity')
        if not any(gravity.tolist()):
            return None, None
        marker = self._new('marker', 'BodyMass', bodyNumber=body,
                           name='MarkerBodyMass:' + name if name else '')
        return marker, self._new('load', 'MassProportional', markerNumber=marker, loadVector=gravity,
                                 name='LoadGravity:' + name if name else '')

    # --- bodies ------------------------------------------------------------------------------------------------

    def CreateGround(self, name='', referencePosition=_ZERO3, referenceRotationMatrix=np.eye(3), graphicsDataList=(),
                     graphicsDataUserFunction=0, show=True):
        """Ground: a body that does not move.

        referencePosition [3] (m), referenceRotationMatrix [3 x 3]. Returns its ObjectIndex.
        """
        return self._new('object', 'Ground', name=name,
                         referencePosition=_vector(referencePosition, 3, 'referencePosition'),
                         referenceRotation=_matrix(referenceRotationMatrix, 'referenceRotationMatrix'),
                         visualization={'show': show, 'graphicsData': list(graphicsDataList)})

    def CreateMassPoint(self, name='', referencePosition=_ZERO3, initialDisplacement=_ZERO3, initialVelocity=_ZERO3,
                        physicsMass=0, gravity=_ZERO3, graphicsDataList=(), drawSize=-1, color=_color.default,
                        show=True, create2D=False, returnDict=False, mass=None):
        """Mass point of mass (physicsMass is the older name, kg) at referencePosition [3] (m).

        initialDisplacement [3] (m), initialVelocity [3] (m/s), gravity [3] (m/s^2, adds a load if not 0).
        Returns its ObjectIndex; with returnDict nodeNumber, bodyNumber, markerBodyMass, loadNumber.
        """
        n, suffix = (2, '2D') if create2D else (3, '')
        node = self._new('node', 'Point' + suffix, name='Node:' + name if name else '',
                         referenceCoordinates=np.array(referencePosition, float)[:n],
                         initialCoordinates=np.array(initialDisplacement, float)[:n],
                         initialVelocities=np.array(initialVelocity, float)[:n], visualization={'show': show})
        body = self._new('object', 'MassPoint' + suffix, name=name, nodeNumber=node,
                         mass=physicsMass if mass is None else mass,
                         visualization={'show': show, 'graphicsData': list(graphicsDataList)})
        marker, load = self._add_gravity(body, gravity, name)
        return self._body_result(returnDict, node, body, marker, load)

    @staticmethod
    def _body_result(returnDict, node, body, marker, load):
        if not returnDict:
            return body
        return {'nodeNumber': node, 'bodyNumber': body, 'markerBodyMass': marker, 'loadNumber': load}

    def CreateRigidBody(self, name='', referencePosition=_ZERO3, referenceRotationMatrix=np.eye(3),
                        initialVelocity=_ZERO3, initialAngularVelocity=_ZERO3, initialDisplacement=None,
                        initialRotationMatrix=None, inertia=None, gravity=_ZERO3,
                        nodeType=NodeType.RotationEulerParameters, graphicsDataList=(), graphicsDataUserFunction=0,
                        drawSize=-1, color=_color.default, show=True, create2D=False, returnDict=False):
        """Rigid body with an inertia (class RigidBodyInertia or derived) at referencePosition [3] (m).

        initialVelocity [3] (m/s) of the reference point and initialAngularVelocity [3] (rad/s), both in the world
        frame; initialDisplacement [3] (m) and initialRotationMatrix [3 x 3] relative to the reference configuration;
        gravity [3] (m/s^2, adds a load if not 0). create2D: a planar body, which turns about z only. Returns its
        ObjectIndex; with returnDict nodeNumber, bodyNumber, markerBodyMass, loadNumber.
        """
        if not isinstance(inertia, rb.RigidBodyInertia):
            raise TypeError(f'CreateRigidBody: inertia must be of class RigidBodyInertia, found {inertia!r}')
        position = _vector(referencePosition, 3, 'CreateRigidBody: referencePosition')
        A = _matrix(referenceRotationMatrix, 'CreateRigidBody: referenceRotationMatrix')
        velocity = _vector(initialVelocity, 3, 'CreateRigidBody: initialVelocity')
        omega = _vector(initialAngularVelocity, 3, 'CreateRigidBody: initialAngularVelocity')
        make = self._initial_planar_node if create2D else self._initial_node
        kind, coordinates = make(nodeType, position, A, velocity, omega, initialDisplacement, initialRotationMatrix)
        node = self._new('node', kind, name='Node:' + name if name else '', **coordinates,
                         visualization={'show': show, 'drawSize': drawSize})
        graphics = list(graphicsDataList) or inertia.GetGraphics(color)
        body, marker, load = self._add_body_with_gravity(node, inertia, gravity, graphics, name, show, create2D)
        return self._body_result(returnDict, node, body, marker, load)

    def CreateKinematicTree(self, name='', listOfTreeLinks=(), referenceCoordinates=None, initialCoordinates=None,
                            initialCoordinates_t=None, gravity=_ZERO3, baseOffset=_ZERO3, linkForces=None,
                            linkTorques=None, jointForceVector=None, jointPositionOffsetVector=None,
                            jointVelocityOffsetVector=None, forceUserFunction=0, jointRadius=0.05, jointWidth=0.12,
                            colors=_color.default, colorsJoints=_color.default, baseGraphicsDataList=None,
                            linkRoundness=0.2, show=True):
        """Kinematic tree of n TreeLinks with its node; help(ObjectKinematicTree) tells the equations.

        referenceCoordinates, initialCoordinates and initialCoordinates_t [n] (rad or m, and 1/s), gravity [3] (m/s^2),
        baseOffset [3] (m), linkForces and linkTorques [n][3] (N, N m), jointForceVector, jointPositionOffsetVector and
        jointVelocityOffsetVector [n]; None: zero. Returns its ObjectIndex.
        """
        links = list(listOfTreeLinks)
        n = len(links)

        def coordinates(values, what):
            return np.zeros(n) if values is None else _vector(values, n, f'CreateKinematicTree: {what}')

        node = self._new('node', 'GenericODE2', name='Node:' + name if name else '', numberOfODE2Coordinates=n,
                         referenceCoordinates=coordinates(referenceCoordinates, 'referenceCoordinates'),
                         initialCoordinates=coordinates(initialCoordinates, 'initialCoordinates'),
                         initialCoordinates_t=coordinates(initialCoordinates_t, 'initialCoordinates_t'))
        control = np.array([(0., 0.) if link.PDcontrol is None else link.PDcontrol for link in links]).reshape(n, 2)
        return self._new(
            'object', 'KinematicTree', name=name, nodeNumber=node, gravity=_vector(gravity, 3, 'gravity'),
            baseOffset=_vector(baseOffset, 3, 'baseOffset'), jointTypes=[link.jointType for link in links],
            linkParents=[i - 1 if link.parent is None else link.parent for i, link in enumerate(links)],
            jointTransformations=[rb.HT2rotationMatrix(link.jointHT) for link in links],
            jointOffsets=[rb.HT2translation(link.jointHT) for link in links],
            linkInertiasCOM=[link.linkInertia.InertiaCOM() for link in links],
            linkCOMs=[link.linkInertia.com for link in links], linkMasses=[link.linkInertia.mass for link in links],
            linkForces=np.zeros((n, 3)) if linkForces is None else linkForces,
            linkTorques=np.zeros((n, 3)) if linkTorques is None else linkTorques,
            jointForceVector=coordinates(jointForceVector, 'jointForceVector'),
            jointPositionOffsetVector=coordinates(jointPositionOffsetVector, 'jointPositionOffsetVector'),
            jointVelocityOffsetVector=coordinates(jointVelocityOffsetVector, 'jointVelocityOffsetVector'),
            jointPControlVector=control[:, 0], jointDControlVector=control[:, 1], forceUserFunction=forceUserFunction,
            visualization={'show': show})

    # Type and coordinates of the node of a rigid body.

    @staticmethod
    def _initial_node(nodeType, position, A, velocity, omega, displacement, rotation):
        kind, reference, rates = rb.rigid_coordinates(nodeType, A, omega)
        position = position.tolist()
        coordinates = {'referenceCoordinates': position + reference}
        if displacement is not None or rotation is not None:
            R = np.eye(3) if rotation is None else _matrix(rotation, 'CreateRigidBody: initialRotationMatrix')
            kind, start, rates = rb.rigid_coordinates(nodeType, A @ R, omega)
            u = _vector(_ZERO3 if displacement is None else displacement, 3, 'CreateRigidBody: initialDisplacement')
            coordinates['initialCoordinates'] = np.concatenate([u, np.subtract(start, reference)])
        return kind, {**coordinates, 'initialVelocities': velocity.tolist() + rates}

    @staticmethod
    def _initial_planar_node(nodeType, position, A, velocity, omega, displacement, rotation):
        def angle(R, what):
            if abs(R[2, 2] - 1) > 1e-10:
                raise ValueError(f'CreateRigidBody: with create2D {what} must be a rotation about z')
            return np.arctan2(R[1, 0], R[0, 0])

        if np.any(omega[:2]):
            raise ValueError('CreateRigidBody: with create2D initialAngularVelocity must be about z')
        initial = np.zeros(3)
        if displacement is not None:
            initial[:2] = np.array(displacement, float)[:2]
        if rotation is not None:
            initial[2] = angle(_matrix(rotation, 'CreateRigidBody: initialRotationMatrix'), 'initialRotationMatrix')
        return 'RigidBody2D', {
            'referenceCoordinates': [*position[:2], angle(A, 'referenceRotationMatrix')],
            'initialCoordinates': initial, 'initialVelocities': [*velocity[:2], omega[2]]}

    # --- springs -----------------------------------------------------------------------------------------------

    def CreateSpringDamper(self, name='', bodyNumbers=_NONE2, localPosition0=_ZERO3, localPosition1=_ZERO3,
                           referenceLength=None, stiffness=0.0, damping=0.0, force=0.0, velocityOffset=0.0,
                           springForceUserFunction=0, bodyOrNodeList=_NONE2, bodyList=_NONE2, show=True, drawSize=-1,
                           color=_color.default):
        """Spring-damper along the line between two points.

        stiffness (N/m), damping (N s/m), force (N, tension positive), velocityOffset (m/s); referenceLength (m),
        None = distance in the reference configuration;
        springForceUserFunction f(mbs, t, itemNumber, deltaL, deltaL_t, stiffness, damping, force) -> float.
        """
        bodies = self._two('CreateSpringDamper', bodyNumbers, bodyOrNodeList, bodyList)
        locals_ = [_vector(localPosition0, 3, 'localPosition0'), _vector(localPosition1, 3, 'localPosition1')]
        if referenceLength is None:
            referenceLength = self._distance(bodies, locals_)
        return self._new(
            'object', 'ConnectorSpringDamper', name=name, referenceLength=referenceLength, stiffness=stiffness,
            damping=damping, force=force, velocityOffset=velocityOffset,
            markerNumbers=self._markers(bodies, locals_, 'Position', name, show),
            springForceUserFunction=springForceUserFunction,
            visualization={'show': show, 'drawSize': drawSize, 'color': color})

    def _distance(self, bodies, locals_):
        points = []
        for body, local in zip(bodies, locals_):
            position, rotation = self._reference_frame(body)
            points.append(position + rotation @ local)
        return float(np.linalg.norm(points[1] - points[0]))

    def CreateCartesianSpringDamper(self, name='', bodyNumbers=_NONE2, localPosition0=_ZERO3, localPosition1=_ZERO3,
                                    stiffness=_ZERO3, damping=_ZERO3, offset=_ZERO3, springForceUserFunction=0,
                                    bodyOrNodeList=_NONE2, bodyList=_NONE2, show=True, drawSize=-1,
                                    color=_color.default):
        """Spring-damper along the world axes: stiffness [3] (N/m), damping [3] (N s/m), offset [3] (m).

        springForceUserFunction f(mbs, t, itemNumber, displacement, velocity, stiffness, damping, offset) -> [3].
        """
        bodies = self._two('CreateCartesianSpringDamper', bodyNumbers, bodyOrNodeList, bodyList)
        return self._new(
            'object', 'ConnectorCartesianSpringDamper', name=name, stiffness=stiffness, damping=damping, offset=offset,
            markerNumbers=self._markers(bodies, [localPosition0, localPosition1], 'Position', name, show),
            springForceUserFunction=springForceUserFunction,
            visualization={'show': show, 'drawSize': drawSize, 'color': color})

    def CreateRigidBodySpringDamper(self, name='', bodyNumbers=_NONE2, localPosition0=_ZERO3, localPosition1=_ZERO3,
                                    stiffness=np.zeros((6, 6)), damping=np.zeros((6, 6)), offset=(0,) * 6,
                                    rotationMatrixJoint=np.eye(3), useGlobalFrame=True, intrinsicFormulation=True,
                                    springForceTorqueUserFunction=0, postNewtonStepUserFunction=0,
                                    bodyOrNodeList=_NONE2, bodyList=_NONE2, show=True, drawSize=-1,
                                    color=_color.default):
        """Spring-damper between two frames: stiffness and damping [6 x 6] for translations and rotations.

        rotationMatrixJoint [3 x 3]: axes of the spring in the world frame, or in body 0 with useGlobalFrame=False.
        """
        bodies = self._two('CreateRigidBodySpringDamper', bodyNumbers, bodyOrNodeList, bodyList)
        R = _matrix(rotationMatrixJoint, 'rotationMatrixJoint')
        A0, A1 = self._reference_frame(bodies[0])[1], self._reference_frame(bodies[1])[1]
        if not useGlobalFrame:
            R = A0 @ R
        return self._new(
            'object', 'ConnectorRigidBodySpringDamper', name=name, stiffness=stiffness, damping=damping, offset=offset,
            markerNumbers=self._markers(bodies, [localPosition0, localPosition1], 'Rigid', name, show),
            rotationMarker0=A0.T @ R, rotationMarker1=A1.T @ R, intrinsicFormulation=intrinsicFormulation,
            springForceTorqueUserFunction=springForceTorqueUserFunction,
            postNewtonStepUserFunction=postNewtonStepUserFunction,
            visualization={'show': show, 'drawSize': drawSize, 'color': color})

    def CreateTorsionalSpringDamper(self, name='', bodyNumbers=_NONE2, position=_ZERO3, axis=_ZERO3, stiffness=0.0,
                                    damping=0.0, offset=0.0, velocityOffset=0.0, torque=0.0, useGlobalFrame=True,
                                    springTorqueUserFunction=0, unlimitedRotations=True, show=True, drawSize=-1,
                                    color=_color.default):
        """Torsional spring-damper about an axis [3]: stiffness (N m/rad), damping (N m s/rad), torque (N m).

        unlimitedRotations adds a data node that continues the angle beyond +-pi.
        """
        bodies = self._two('CreateTorsionalSpringDamper', bodyNumbers)
        markers, R0, R1 = self._axis_markers(bodies, position, axis, useGlobalFrame, name, show)
        parameters = {}
        if unlimitedRotations:
            parameters['nodeNumber'] = self._new('node', 'GenericData', numberOfDataCoordinates=1,
                                                 initialCoordinates=[0.])
        return self._new(
            'object', 'ConnectorTorsionalSpringDamper', name=name, markerNumbers=markers, rotationMarker0=R0,
            rotationMarker1=R1, stiffness=stiffness, damping=damping, offset=offset, velocityOffset=velocityOffset,
            torque=torque, springTorqueUserFunction=springTorqueUserFunction, **parameters,
            visualization={'show': show, 'drawSize': drawSize, 'color': color})

    # --- joints ------------------------------------------------------------------------------------------------

    def _axis_markers(self, bodies, position, axis, useGlobalFrame, name, show):
        """Markers and joint frames with z along the axis."""
        (x, y, z), (a, b, c), (d, e, f) = rb.basis_around(_vector(axis, 3, 'axis').tolist())
        frame = np.array([[-d, a, x], [-e, b, y], [-f, c, z]])
        locals_, R0, R1 = self._joint_locals(bodies, _vector(position, 3, 'position'), frame, useGlobalFrame)
        return self._markers(bodies, locals_, 'Rigid', name, show), R0, R1

    def CreateRevoluteJoint(self, name='', bodyNumbers=_NONE2, position=(), axis=(), useGlobalFrame=True, show=True,
                            axisRadius=0.1, axisLength=0.4, color=_color.default):
        """Revolute joint of two bodies at position [3] (m) about axis [3]. Returns its ObjectIndex."""
        bodies = self._two('CreateRevoluteJoint', bodyNumbers)
        markers, R0, R1 = self._axis_markers(bodies, position, axis, useGlobalFrame, name, show)
        return self._new(
            'object', 'JointRevoluteZ', name=name, markerNumbers=markers, rotationMarker0=R0, rotationMarker1=R1,
            visualization={'show': show, 'axisRadius': axisRadius, 'axisLength': axisLength, 'color': color})

    def CreatePrismaticJoint(self, name='', bodyNumbers=_NONE2, position=(), axis=(), useGlobalFrame=True, show=True,
                             axisRadius=0.1, axisLength=0.4, color=_color.default):
        """Prismatic joint of two bodies at position [3] (m) along axis [3]. Returns its ObjectIndex."""
        bodies = self._two('CreatePrismaticJoint', bodyNumbers)
        frame = rb.ComputeOrthonormalBasis(_vector(axis, 3, 'axis'))
        locals_, R0, R1 = self._joint_locals(bodies, _vector(position, 3, 'position'), frame, useGlobalFrame)
        return self._new(
            'object', 'JointPrismaticX', name=name, markerNumbers=self._markers(bodies, locals_, 'Rigid', name, show),
            rotationMarker0=R0, rotationMarker1=R1,
            visualization={'show': show, 'axisRadius': axisRadius, 'axisLength': axisLength, 'color': color})

    def CreateSphericalJoint(self, name='', bodyNumbers=_NONE2, position=(), constrainedAxes=(1, 1, 1),
                             useGlobalFrame=True, show=True, jointRadius=0.1, color=_color.default):
        """Spherical joint of two bodies at position [3] (m); constrainedAxes [3]: 1 = fixed, 0 = free."""
        bodies = self._two('CreateSphericalJoint', bodyNumbers)
        locals_, _, _ = self._joint_locals(bodies, _vector(position, 3, 'position'), np.eye(3), useGlobalFrame)
        return self._new(
            'object', 'JointSpherical', name=name, constrainedAxes=list(constrainedAxes),
            markerNumbers=self._markers(bodies, locals_, 'Position', name, show),
            visualization={'show': show, 'jointRadius': jointRadius, 'color': color})

    def CreateGenericJoint(self, name='', bodyNumbers=_NONE2, position=(), rotationMatrixAxes=np.eye(3),
                           constrainedAxes=(1, 1, 1, 1, 1, 1), useGlobalFrame=True, offsetUserFunction=0,
                           offsetUserFunction_t=0, show=True, axesRadius=0.1, axesLength=0.4, color=_color.default):
        """Joint that fixes any of three translations and three rotations, constrainedAxes [6]: 1 = fixed, 0 = free.

        rotationMatrixAxes [3 x 3]: axes of the joint;
        offsetUserFunction f(mbs, t, itemNumber, offsetUserFunctionParameters) -> [6].
        """
        bodies = self._two('CreateGenericJoint', bodyNumbers)
        R = _matrix(rotationMatrixAxes, 'rotationMatrixAxes')
        locals_, R0, R1 = self._joint_locals(bodies, _vector(position, 3, 'position'), R, useGlobalFrame)
        return self._new(
            'object', 'JointGeneric', name=name, constrainedAxes=list(constrainedAxes), rotationMarker0=R0,
            rotationMarker1=R1, markerNumbers=self._markers(bodies, locals_, 'Rigid', name, show),
            offsetUserFunction=offsetUserFunction, offsetUserFunction_t=offsetUserFunction_t,
            visualization={'show': show, 'axesRadius': axesRadius, 'axesLength': axesLength, 'color': color})

    def CreateDistanceConstraint(self, name='', bodyNumbers=_NONE2, localPosition0=_ZERO3, localPosition1=_ZERO3,
                                 distance=None, bodyOrNodeList=_NONE2, bodyList=_NONE2, show=True, drawSize=-1.0,
                                 color=_color.default):
        """Constant distance (m) of two points; None = as in the reference configuration, 0 = spherical joint."""
        bodies = self._two('CreateDistanceConstraint', bodyNumbers, bodyOrNodeList, bodyList)
        locals_ = [_vector(localPosition0, 3, 'localPosition0'), _vector(localPosition1, 3, 'localPosition1')]
        if distance is None:
            distance = self._distance(bodies, locals_)
        markers = self._markers(bodies, locals_, 'Position', name, show)
        visualization = {'show': show, 'color': color}
        if distance == 0:
            return self._new('object', 'JointSpherical', name=name, markerNumbers=markers,
                             visualization=visualization)
        return self._new('object', 'ConnectorDistance', name=name, markerNumbers=markers, distance=distance,
                         visualization={**visualization, 'drawSize': drawSize})

    def CreateCoordinateConstraint(self, name='', bodyNumbers=_NONE2, coordinates=_NONE2, offset=0.0, factorValue1=1.0,
                                   velocityLevel=False, offsetUserFunction=0, offsetUserFunction_t=0, show=True,
                                   drawSize=-1.0, color=_color.default):
        """factorValue1 q1 - q0 = offset for the coordinates (numbers) of two bodies; body None or ground: q = 0.

        offsetUserFunction f(mbs, t, itemNumber, offset) -> float.
        """
        markers = [self._coordinate_marker(bodyNumbers[i], coordinates[i]) for i in range(2)]
        return self._new(
            'object', 'ConnectorCoordinate', name=name, markerNumbers=markers, offset=offset, factorValue1=factorValue1,
            velocityLevel=velocityLevel, offsetUserFunction=offsetUserFunction,
            offsetUserFunction_t=offsetUserFunction_t,
            visualization={'show': show, 'drawSize': drawSize, 'color': color})

    def _is_ground(self, body):
        return not isinstance(body, NodeIndex) and self._core.typeName(_OBJECT, int(body)) == 'Ground'

    def _coordinate_marker(self, body, coordinate):
        if body is None or self._is_ground(body):
            node = self._new('node', 'PointGround')
            return self._new('marker', 'NodeCoordinate', nodeNumber=node, coordinate=0)
        node = body if isinstance(body, NodeIndex) else self.GetObjectParameter(body, 'nodeNumber')
        return self._new('marker', 'NodeCoordinate', nodeNumber=node, coordinate=coordinate)

    # --- contacts ----------------------------------------------------------------------------------------------

    def _disc(self, function, type_name, name, bodyNumbers, axisPosition, axisVector, discRadius, planePosition,
              planeNormal, show, discWidth, color, **parameters):
        """Disc on the second body that rolls on a plane of the first."""
        bodies = self._two(function, bodyNumbers)
        axis, normal = _vector(axisVector, 3, 'axisVector'), _vector(planeNormal, 3, 'planeNormal')
        locals_ = [_vector(planePosition, 3, 'planePosition'), _vector(axisPosition, 3, 'axisPosition')]
        return self._new(
            'object', type_name, name=name, markerNumbers=self._markers(bodies, locals_, 'Rigid', name, show),
            discRadius=discRadius, discAxis=axis / np.linalg.norm(axis), planeNormal=normal / np.linalg.norm(normal),
            visualization={'show': show, 'discWidth': discWidth, 'color': color}, **parameters)

    def CreateRollingDisc(self, name='', bodyNumbers=_NONE2, axisPosition=_ZERO3, axisVector=(1, 0, 0), discRadius=0.0,
                          planePosition=_ZERO3, planeNormal=(0, 0, 1), constrainedAxes=(1, 1, 1), activeConnector=True,
                          show=True, discWidth=0.1, color=_color.default):
        """Disc that rolls on a plane without slip.

        bodyNumbers: of the plane and of the disc; planePosition and planeNormal [3] in axes of the former,
        axisPosition (centre) and axisVector [3] in axes of the latter; constrainedAxes [3]: lateral, forward, normal.
        """
        return self._disc('CreateRollingDisc', 'JointRollingDisc', name, bodyNumbers, axisPosition, axisVector,
                          discRadius, planePosition, planeNormal, show, discWidth, color,
                          constrainedAxes=list(constrainedAxes), activeConnector=activeConnector)

    def CreateRollingDiscPenalty(self, name='', bodyNumbers=_NONE2, axisPosition=_ZERO3, axisVector=(1, 0, 0),
                                 discRadius=0.0, planePosition=_ZERO3, planeNormal=(0, 0, 1), contactStiffness=0.0,
                                 contactDamping=0.0, dryFriction=(0, 0), dryFrictionAngle=0.0,
                                 dryFrictionProportionalZone=0.0, viscousFriction=(0, 0), rollingFrictionViscous=0.0,
                                 useLinearProportionalZone=False, activeConnector=True, show=True, discWidth=0.1,
                                 color=_color.default):
        """Disc on a plane with contact stiffness (N/m), damping (N s/m) and friction; adds the data node it needs.

        Bodies, plane and axis as in CreateRollingDisc.
        """
        data = self._new('node', 'GenericData', numberOfDataCoordinates=3, initialCoordinates=[0., 0., 0.])
        return self._disc('CreateRollingDiscPenalty', 'ConnectorRollingDiscPenalty', name, bodyNumbers, axisPosition,
                          axisVector, discRadius, planePosition, planeNormal, show, discWidth, color, nodeNumber=data,
                          contactStiffness=contactStiffness, contactDamping=contactDamping, dryFriction=dryFriction,
                          dryFrictionAngle=dryFrictionAngle, dryFrictionProportionalZone=dryFrictionProportionalZone,
                          viscousFriction=viscousFriction, rollingFrictionViscous=rollingFrictionViscous,
                          useLinearProportionalZone=useLinearProportionalZone, activeConnector=activeConnector)

    def CreateSphereSphereContact(self, name='', bodyNumbers=_NONE2, localPosition0=_ZERO3, localPosition1=_ZERO3,
                                  spheresRadii=(-1, -1), isHollowSphere1=False, dynamicFriction=0.0,
                                  frictionProportionalZone=1e-3, contactStiffness=0.0, contactDamping=0.0,
                                  contactStiffnessExponent=1, constantPullOffForce=0, contactPlasticityRatio=0,
                                  adhesionCoefficient=0, adhesionExponent=1, restitutionCoefficient=1,
                                  minimumImpactVelocity=0, impactModel=0, dataInitialCoordinates=(0, 0, 0, 0),
                                  activeConnector=True, bodyOrNodeList=_NONE2, show=False, color=_color.default):
        """Contact of two spheres, or of a sphere in a hollow one; adds the data node it needs.

        localPosition0, localPosition1 [3] (m): their centres; help(ObjectContactSphereSphere) tells the parameters.
        """
        bodies = self._two('CreateSphereSphereContact', bodyNumbers, bodyOrNodeList)
        data = self._new('node', 'GenericData', numberOfDataCoordinates=4,
                         initialCoordinates=_vector(dataInitialCoordinates, 4, 'dataInitialCoordinates'))
        return self._new(
            'object', 'ContactSphereSphere', name=name, nodeNumber=data, spheresRadii=spheresRadii,
            markerNumbers=self._markers(bodies, [localPosition0, localPosition1], 'Rigid', name, show),
            isHollowSphere1=isHollowSphere1, dynamicFriction=dynamicFriction,
            frictionProportionalZone=frictionProportionalZone, contactStiffness=contactStiffness,
            contactDamping=contactDamping, contactStiffnessExponent=contactStiffnessExponent,
            constantPullOffForce=constantPullOffForce, contactPlasticityRatio=contactPlasticityRatio,
            adhesionCoefficient=adhesionCoefficient, adhesionExponent=adhesionExponent,
            restitutionCoefficient=restitutionCoefficient, minimumImpactVelocity=minimumImpactVelocity,
            impactModel=impactModel, activeConnector=activeConnector, visualization={'show': show, 'color': color})

    # --- loads -------------------------------------------------------------------------------------------------

    def CreateForce(self, name='', bodyNumber=None, loadVector=_ZERO3, localPosition=_ZERO3, bodyFixed=False,
                    loadVectorUserFunction=0, show=True):
        """Force loadVector [3] (N) on a point of a body (localPosition [3], m); bodyFixed: it turns with the body.

        loadVectorUserFunction f(mbs, t, loadVector) -> [3]. Returns its LoadIndex.
        """
        kind = 'Rigid' if bodyFixed else 'Position'
        return self._load('ForceVector', name, bodyNumber, localPosition, kind, loadVector, bodyFixed,
                          loadVectorUserFunction, show)

    def CreateTorque(self, name='', bodyNumber=None, loadVector=_ZERO3, localPosition=_ZERO3, bodyFixed=False,
                     loadVectorUserFunction=0, show=True):
        """Torque loadVector [3] (N m) on a body; bodyFixed: it turns with the body.

        loadVectorUserFunction f(mbs, t, loadVector) -> [3]. Returns its LoadIndex.
        """
        return self._load('TorqueVector', name, bodyNumber, localPosition, 'Rigid', loadVector, bodyFixed,
                          loadVectorUserFunction, show)

    def _load(self, type_name, name, body, local, kind, vector, bodyFixed, function, show):
        if body is None:
            raise ValueError('CreateForce, CreateTorque: bodyNumber is missing; give the index of a body')
        marker = self._marker(body, local, kind, f'Marker:{name}' if name else '', show)
        return self._new('load', type_name, name=name, markerNumber=marker, bodyFixed=bodyFixed,
                         loadVector=_vector(vector, 3, 'loadVector'), loadVectorUserFunction=function,
                         visualization={'show': show})


def _waiting(name):
    def create(self, *args, **kwargs):
        raise NotAvailableError(f'{name} is not available yet')
    create.__name__, create.__doc__ = name, 'Not available yet.'
    return create


for _name in ('CreateSphereTriangleContact', 'CreateSphereQuadContact', 'CreateDistanceSensor',
              'CreateDistanceSensorGeometry'):
    setattr(CreateFunctions, _name, _waiting(_name))
