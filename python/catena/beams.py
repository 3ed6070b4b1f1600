"""Cables of many elements in one call."""

import copy

import numpy as np

from catena.itemInterface import (CoordinateConstraint, LoadMassProportional, MarkerBodyMass,
                                  MarkerNodeCoordinate, NodePoint2DSlope1, NodePointGround, NodePointSlope1,
                                  ObjectANCFCable2D)


def GenerateStraightLineANCFCable(mbs, positionOfNode0, positionOfNode1, numberOfElements, cableTemplate,
                                  massProportionalLoad=(0, 0, 0), fixedConstraintsNode0=(), fixedConstraintsNode1=(),
                                  nodeNumber0=-1, nodeNumber1=-1):
    """A straight cable of equal elements like cableTemplate (ObjectANCFCable2D or ObjectANCFCable).

    positionOfNode0, positionOfNode1 [2 or 3] (m): its ends; massProportionalLoad [3] (m/s^2); fixedConstraintsNode0,
    fixedConstraintsNode1: 1 = the coordinate of the first or last node is fixed (positions, then slopes);
    nodeNumber0, nodeNumber1: existing nodes to end at, -1: new ones.
    Returns [nodes, elements, loads, positions of the nodes, constraints of the first and then of the last node].
    """
    planar = isinstance(cableTemplate, ObjectANCFCable2D)
    d = 2 if planar else 3
    start, end = (np.append(np.asarray(p, float), [0, 0])[:3] for p in (positionOfNode0, positionOfNode1))
    length = np.linalg.norm(end - start)
    if not length > 0:
        raise ValueError('GenerateStraightLineANCFCable: positionOfNode0 and positionOfNode1 are the same point')
    if planar and (start[2] or end[2]):
        raise ValueError('GenerateStraightLineANCFCable: an ANCFCable2D lies in the plane z = 0')
    slope = (end - start) / length
    node_type = NodePoint2DSlope1 if planar else NodePointSlope1
    positions = [start + (end - start) * i / numberOfElements for i in range(numberOfElements + 1)]
    nodes = [mbs.AddNode(node_type(referenceCoordinates=[*p[:d], *slope[:d]])) if given == -1 else given
             for p, given in zip(positions, [nodeNumber0] + [-1] * (numberOfElements - 1) + [nodeNumber1])]

    elements, loads = [], []
    for ends in zip(nodes, nodes[1:]):
        element = copy.copy(cableTemplate)
        element.physicsLength, element.nodeNumbers = length / numberOfElements, list(ends)
        elements.append(mbs.AddObject(element))
        if np.any(massProportionalLoad):
            mass = mbs.AddMarker(MarkerBodyMass(bodyNumber=elements[-1]))
            loads.append(mbs.AddLoad(LoadMassProportional(markerNumber=mass, loadVector=massProportionalLoad)))

    constraints = []
    if np.any(fixedConstraintsNode0) or np.any(fixedConstraintsNode1):
        ground = mbs.AddMarker(MarkerNodeCoordinate(
            nodeNumber=mbs.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0])), coordinate=0))
        for node, fixed in ((nodes[0], fixedConstraintsNode0), (nodes[-1], fixedConstraintsNode1)):
            for coordinate in np.flatnonzero(fixed):
                marker = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=int(coordinate)))
                constraints.append(mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, marker])))
    return [nodes, elements, loads, positions, constraints]


def GenerateStraightLineANCFCable2D(mbs, positionOfNode0, positionOfNode1, numberOfElements, cableTemplate,
                                    massProportionalLoad=(0, 0, 0), fixedConstraintsNode0=(0, 0, 0, 0),
                                    fixedConstraintsNode1=(0, 0, 0, 0), nodeNumber0=-1, nodeNumber1=-1):
    """GenerateStraightLineANCFCable for planar cables."""
    return GenerateStraightLineANCFCable(mbs, positionOfNode0, positionOfNode1, numberOfElements, cableTemplate,
                                         massProportionalLoad, fixedConstraintsNode0, fixedConstraintsNode1,
                                         nodeNumber0, nodeNumber1)
