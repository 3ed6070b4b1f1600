"""What Python costs: ./dev python bench/python_costs.py

Prints the processor time per call of a Python spring force, that of a run with expressions compared with the built-in
force, and that to build a chain of 100,000 bodies from Python and from JSON.
"""

import os
import tempfile
import time

import catena as exu
from catena.utilities import *

STEPS, BODIES = 100000, 100000


def best(action, repetitions=5):
    """Least processor time of several runs [s], and the last result."""
    times = []
    for _ in range(repetitions):
        begin = time.process_time()
        result = action()
        times.append(time.process_time() - begin)
    return min(times), result


def spring_force(mbs, t, itemNumber, u, v, k, d, offset):
    return k * u + d * v


def oscillators(function, count, steps):
    """A run with `count` masses on springs: number of calls of Python functions."""
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    for _ in range(count):
        node = mbs.AddNode(Point())
        mbs.AddObject(MassPoint(mass=5, nodeNumber=node))
        marker = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        mbs.AddObject(CoordinateSpringDamper(markerNumbers=[ground, marker], stiffness=5000, damping=80,
                                             springForceUserFunction=function))
        mbs.AddLoad(LoadCoordinate(markerNumber=marker, load=1))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.solutionSettings.sensorsStoreAndWriteFiles = False

    def run():
        mbs.SolveDynamic(settings)
        return mbs.sys['dynamicSolver'].report
    return best(run)


def user_functions():
    built_in, _ = oscillators(0, 1, STEPS)
    python, report = oscillators(spring_force, 1, STEPS)
    calls = report['userFunctionCalls']

    def bare():
        for _ in range(calls):
            spring_force(None, 0.1, 1, 0.2, 0.3, 5000., 80., 0.)
    alone, _ = best(bare)
    above = (python - built_in - alone) / calls
    print(f'Python spring force: {python / calls * 1e6:.2f} us per call in all, '
          f'{above * 1e6:.2f} us above the call itself ({alone / calls * 1e6:.2f} us); {calls} calls')


def expressions():
    """Whole runs, with one spring and with many, of which the solution of the equations is a small part."""
    for count, steps in ((1, STEPS), (1000, 200)):
        built_in, _ = oscillators(0, count, steps)
        expression, _ = oscillators('k*u + d*v', count, steps)
        print(f'run with {count} springs: built-in {built_in:.3f} s, expression {expression:.3f} s, '
              f'ratio {expression / built_in:.2f}')


def chain():
    mbs = exu.SystemContainer().AddSystem()
    inertia = InertiaCuboid(1000, [1, 0.1, 0.1])
    last, frame = mbs.AddObject(ObjectGround()), [0, 0, 0]
    for i in range(BODIES):
        node = mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[i + 0.5, 0, 0, 0, 0, 0]))
        body = mbs.AddObject(RigidBody(mass=inertia.mass, inertia=inertia.GetInertia6D(), nodeNumber=node))
        markers = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=last, localPosition=frame)),
                   mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[-0.5, 0, 0]))]
        mbs.AddObject(RevoluteJointZ(markerNumbers=markers))
        mbs.AddLoad(Gravity(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=body)), loadVector=[0, -9.81, 0]))
        last, frame = body, [0.5, 0, 0]
    mbs.Assemble()
    return mbs


def chain_with_create():
    mbs = exu.SystemContainer().AddSystem()
    inertia = InertiaCuboid(1000, [1, 0.1, 0.1])
    last = mbs.CreateGround()
    for i in range(BODIES):
        body = mbs.CreateRigidBody(inertia=inertia, referencePosition=[i + 0.5, 0, 0], gravity=[0, -9.81, 0])
        mbs.CreateRevoluteJoint(bodyNumbers=[last, body], position=[i, 0, 0], axis=[0, 0, 1])
        last = body
    mbs.Assemble()


def building():
    items, mbs = best(chain, 2)
    create, _ = best(chain_with_create, 1)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'chain.json')
        mbs.ToJson(path)
        read, _ = best(lambda: exu.FromJson(path)[0].Assemble(), 2)
    print(f'chain of {BODIES} bodies, built and assembled: item by item {items:.2f} s, '
          f'with Create functions {create:.2f} s, from JSON {read:.2f} s')


if __name__ == '__main__':
    user_functions()
    expressions()
    building()
