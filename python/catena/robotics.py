"""Robots: links in a tree, as a kinematic tree on joint coordinates or as rigid bodies with joints.

    robot = Robot(gravity=[0, 0, -9.81])
    robot.AddLink(RobotLink(mass=2, COM=[0.5, 0, 0], inertia=np.diag([0.01, 0.17, 0.17]), jointType='Rz'))
    tree = robot.CreateKinematicTree(mbs)['objectKinematicTree']

The frame of a link follows from that of its parent, or of the base, by

    link = parent @ preHT @ joint(q) @ localHT

with homogeneous transformations [4 x 4]; joint(q) turns about (R) or moves along (P) an axis.
"""

import numpy as np

from catena import rigidBodyUtilities as rb
from catena.enums import JointType, NodeType, OutputVariableType  # noqa: F401
from catena.errors import NotAvailableError
from catena.itemInterface import Visualization
from catena.rigidBodyUtilities import *  # noqa: F401,F403

_JOINTS = {letter + axis: JointType[kind + axis.upper()]
           for letter, kind in (('R', 'Revolute'), ('P', 'Prismatic')) for axis in 'xyz'}
_ROTATIONS = (rb.HTrotateX, rb.HTrotateY, rb.HTrotateZ)
_PREVIOUS, _BASE = -2, -1


def StdDH2HT(DHparameters):
    """Transformation of standard Denavit-Hartenberg parameters [theta, d, a, alpha]: Rz Tz(d) Tx(a) Rx."""
    theta, d, a, alpha = DHparameters
    return rb.HTrotateZ(theta) @ rb.HTtranslate([a, 0, d]) @ rb.HTrotateX(alpha)


class VRobotLink(Visualization):
    """How a link is drawn."""


class VRobotBase(Visualization):
    """How the base is drawn."""


class VRobotTool(Visualization):
    """How the tool is drawn."""


class RobotBase:
    """The base: its frame HT [4 x 4] in the world."""

    def __init__(self, HT=np.eye(4), visualization=VRobotBase()):
        self.HT, self.visualization = np.array(HT, float), visualization


class RobotTool:
    """The tool: its frame HT [4 x 4] in the last link."""

    def __init__(self, HT=np.eye(4), visualization=VRobotTool()):
        self.HT, self.visualization = np.array(HT, float), visualization


class RobotLink:
    """A link: mass [kg], COM [3] [m] and inertia [3 x 3] about it [kg m^2], both in the frame of the link.

    jointType: Rx, Ry, Rz, Px, Py or Pz; parent: number of a link before it, -1 base, -2 the link added before it;
    PDcontrol: stiffness and damping of the control of the joint, or (None, None).
    """

    def __init__(self, mass, COM, inertia, localHT=np.eye(4), jointType='Rz', parent=_PREVIOUS, preHT=np.eye(4),
                 PDcontrol=(None, None), visualization=VRobotLink()):
        if jointType not in _JOINTS:
            raise ValueError(f"RobotLink: unknown jointType {jointType!r}; known are {' '.join(_JOINTS)}")
        self.mass, self.COM, self.inertia = mass, np.array(COM, float), np.array(inertia, float)
        self.localHT, self.preHT = np.array(localHT, float), np.array(preHT, float)
        self.jointType, self.parent, self.PDcontrol = jointType, parent, PDcontrol
        self.visualization = visualization

    @property
    def axis(self):
        """Number of the axis of the joint."""
        return 'xyz'.index(self.jointType[1])

    @property
    def revolute(self):
        """Whether the joint turns."""
        return self.jointType[0] == 'R'

    def jointMotion(self, q):
        """The transformation of the joint at coordinate q [rad or m]."""
        return _ROTATIONS[self.axis](q) if self.revolute else rb.HTtranslate(q * np.eye(3)[self.axis])

    def inertiaAtJoint(self):
        """Its RigidBodyInertia in the frame of the joint, before localHT."""
        return rb.RigidBodyInertia(self.mass, self.inertia, self.COM, inertiaTensorAtCOM=True).Transformed(self.localHT)


class Robot:
    """Links on a base, with gravity [3] [m/s^2] and the coordinates of a reference configuration."""

    def __init__(self, gravity=(0, 0, 9.81), base=None, tool=None, referenceConfiguration=()):
        self.gravity = np.array(gravity, float)
        self.base, self.tool = base or RobotBase(), tool or RobotTool()
        self.referenceConfiguration = list(referenceConfiguration)
        self.links = []

    def AddLink(self, robotLink):
        """Adds a link; returns its number."""
        number = len(self.links)
        parent = number - 1 if robotLink.parent == _PREVIOUS else robotLink.parent
        if not _BASE <= parent < number:
            raise ValueError(f'AddLink: parent {parent} of link {number} must be -1 (the base) or a link before it')
        self.links.append(robotLink)
        if len(self.referenceConfiguration) < len(self.links):
            self.referenceConfiguration.append(0.)
        return number

    def NumberOfLinks(self):
        """Number of links."""
        return len(self.links)

    def GetLink(self, i):
        """Link by its number."""
        return self.links[i]

    def GetParentIndex(self, i):
        """Number of the parent of link i; -1: base."""
        parent = self.links[i].parent
        return i - 1 if parent == _PREVIOUS else parent

    def HasParent(self, i):
        """Whether link i is on another link."""
        return self.GetParentIndex(i) != _BASE

    def IsSerialRobot(self):
        """Whether every link is on the one before it."""
        return all(self.GetParentIndex(i) == i - 1 for i in range(len(self.links)))

    def GetBaseHT(self):
        """Frame of the base."""
        return self.base.HT

    def GetToolHT(self):
        """Frame of the tool in the last link."""
        return self.tool.HT

    # --- kinematics and statics ---------------------------------------------------------------------------------

    def JointHT(self, q):
        """World frames [4 x 4] behind all joints, before localHT, at the coordinates q."""
        frames = []
        for i, link in enumerate(self.links):
            parent = self.GetParentIndex(i)
            before = self.base.HT if parent == _BASE else frames[parent] @ self.links[parent].localHT
            frames.append(before @ link.preHT @ link.jointMotion(q[i]))
        return frames

    def LinkHT(self, q):
        """World frames [4 x 4] of all links at the coordinates q."""
        return [HT @ link.localHT for HT, link in zip(self.JointHT(q), self.links)]

    def COMHT(self, HT):
        """Frames [4 x 4] at the centres of mass, with HT from JointHT."""
        return [T @ link.localHT @ rb.HTtranslate(link.COM) for T, link in zip(HT, self.links)]

    def Jacobian(self, HT, toolPosition=(), mode='all', linkIndex=None):
        """Velocity of a point (world position, default the tool) of a link (default the last) by joint rates.

        HT from JointHT. mode: 'trans' or 'rot' [3 x n], 'all' both of them [6 x n].
        """
        last = len(self.links) - 1 if linkIndex is None else linkIndex
        end = HT[last] @ self.links[last].localHT
        if linkIndex is None:
            end = end @ self.tool.HT
        point = rb.HT2translation(end) if len(toolPosition) == 0 else np.asarray(toolPosition, float)
        J = np.zeros((6, len(self.links)))
        i = last
        while i != _BASE:
            axis = HT[i][:3, self.links[i].axis]
            if self.links[i].revolute:
                J[:3, i], J[3:, i] = np.cross(axis, point - HT[i][:3, 3]), axis
            else:
                J[:3, i] = axis
            i = self.GetParentIndex(i)
        return {'all': J, 'trans': J[:3], 'rot': J[3:]}[mode]

    def StaticTorques(self, HT):
        """Torques and forces [n] of gravity in the joints, with HT from JointHT."""
        centres = self.COMHT(HT)
        return sum((self.Jacobian(HT, rb.HT2translation(centres[i]), 'trans', i).T @ (link.mass * self.gravity)
                    for i, link in enumerate(self.links)), np.zeros(len(self.links)))

    # --- models -------------------------------------------------------------------------------------------------

    def CreateKinematicTree(self, mbs, name='', forceUserFunction=0):
        """The robot on joint coordinates; returns a dictionary with nodeGeneric and objectKinematicTree."""
        trees = []
        for i, link in enumerate(self.links):
            parent = self.GetParentIndex(i)
            before = np.eye(4) if parent == _BASE else self.links[parent].localHT
            if parent == _BASE:  # the tree has an offset of the base, but no rotation
                before = rb.HomogeneousTransformation(rb.HT2rotationMatrix(self.base.HT), [0, 0, 0])
            trees.append(rb.TreeLink(link.inertiaAtJoint(), _JOINTS[link.jointType], before @ link.preHT, parent,
                                     None if link.PDcontrol[0] is None else link.PDcontrol))
        tree = mbs.CreateKinematicTree(
            name=name, listOfTreeLinks=trees, referenceCoordinates=self.referenceConfiguration, gravity=self.gravity,
            baseOffset=rb.HT2translation(self.base.HT), forceUserFunction=forceUserFunction)
        return {'nodeGeneric': mbs.GetObject(tree)['nodeNumber'], 'objectKinematicTree': tree}

    def CreateRedundantCoordinateMBS(self, mbs, baseMarker, jointSpringDamperUserFunctionList=(),
                                     jointLoadUserFunctionList=(), createJointTorqueLoads=True, rotationMarkerBase=None,
                                     rigidBodyNodeType=NodeType.RotationEulerParameters):
        """The robot as rigid bodies with joints (JointGeneric), in its reference configuration on a marker BodyRigid.

        PDcontrol of a link becomes a TorsionalSpringDamper or LinearSpringDamper. createJointTorqueLoads adds a pair of
        torques, or of forces where the joint is prismatic, which are zero at first: the vectors of a torque 1 on both
        bodies are in unitTorque0List and unitTorque1List, body axes. Returns a dictionary of lists, one entry per link:
        nodeList, bodyList, jointList, markerList0, markerList1, springDamperList (of the links with PDcontrol),
        unitTorque0List, unitTorque1List, jointTorque0List, jointTorque1List.
        """
        if len(jointSpringDamperUserFunctionList) or rotationMarkerBase is not None:
            raise NotAvailableError('CreateRedundantCoordinateMBS: jointSpringDamperUserFunctionList and '
                                    'rotationMarkerBase are not available yet')
        functions = list(jointLoadUserFunctionList) or [0] * len(self.links)
        made = {key: [] for key in ('nodeList', 'bodyList', 'jointList', 'markerList0', 'markerList1', 'springDamperList',
                                    'unitTorque0List', 'unitTorque1List', 'jointTorque0List', 'jointTorque1List')}
        frames = self.LinkHT(self.referenceConfiguration)
        for i, link in enumerate(self.links):
            inertia = rb.RigidBodyInertia(link.mass, link.inertia, link.COM, inertiaTensorAtCOM=True)
            body = mbs.CreateRigidBody(referencePosition=rb.HT2translation(frames[i]), inertia=inertia,
                                       referenceRotationMatrix=rb.HT2rotationMatrix(frames[i]), gravity=self.gravity,
                                       nodeType=rigidBodyNodeType, returnDict=True)
            made['nodeList'].append(body['nodeNumber'])
            made['bodyList'].append(body['bodyNumber'])
            parent = self.GetParentIndex(i)
            if parent == _BASE:
                carrier = mbs.GetMarker(baseMarker)['bodyNumber']
                position, rotation = mbs._reference_frame(carrier)
                before = rb.InverseHT(rb.HomogeneousTransformation(rotation, position)) @ self.base.HT @ link.preHT
            else:
                carrier, before = made['bodyList'][parent], link.preHT
            self._join(mbs, link, (carrier, body['bodyNumber']), (before, rb.InverseHT(link.localHT)),
                       createJointTorqueLoads, functions[i], made)
        return made

    def _join(self, mbs, link, bodies, frames, loads, function, made):
        """The joint, control and loads of a link between two bodies, with the frames of the joint in both of them."""
        rotations = [rb.HT2rotationMatrix(HT) for HT in frames]
        markers = mbs._markers(bodies, [rb.HT2translation(HT) for HT in frames], 'Rigid', '', True)
        made['markerList0'].append(markers[0])
        made['markerList1'].append(markers[1])
        free = np.ones(6, int)
        free[link.axis + 3 * link.revolute] = 0
        made['jointList'].append(mbs._new('object', 'JointGeneric', markerNumbers=markers, constrainedAxes=free,
                                          rotationMarker0=rotations[0], rotationMarker1=rotations[1]))
        if link.PDcontrol[0] is not None:
            control = {'markerNumbers': markers, 'stiffness': link.PDcontrol[0], 'damping': link.PDcontrol[1]}
            if link.revolute:  # about z
                onto = np.roll(rb.ComputeOrthonormalBasis(np.eye(3)[link.axis]), -1, axis=1)
                made['springDamperList'].append(mbs._new('object', 'ConnectorTorsionalSpringDamper', **control,
                                                         rotationMarker0=rotations[0] @ onto,
                                                         rotationMarker1=rotations[1] @ onto))
            else:
                made['springDamperList'].append(mbs._new('object', 'ConnectorLinearSpringDamper', **control,
                                                         axisMarker0=rotations[0][:, link.axis]))
        for side, sign in ((0, -1), (1, 1)):
            unit = sign * rotations[side][:, link.axis]
            made[f'unitTorque{side}List'].append(unit)
            if loads:
                made[f'jointTorque{side}List'].append(mbs._new(
                    'load', 'TorqueVector' if link.revolute else 'ForceVector', markerNumber=markers[side],
                    loadVector=unit if function else np.zeros(3), bodyFixed=True, loadVectorUserFunction=function))
