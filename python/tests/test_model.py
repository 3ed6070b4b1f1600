"""Items, parameters, errors, outputs, coordinates."""

import unittest

import numpy as np

import catena as exu
from catena.utilities import *  # noqa: F403
from catena.utilities import (LoadCoordinate, MarkerNodeCoordinate, MassPoint, NodePoint, NodePointGround,
                              ObjectConnectorCoordinateSpringDamper, ObjectGround, Point, RigidBody, SensorBody,
                              SensorNode)


def oscillator(**spring):
    """Mass of 5 kg on a spring of 5000 N/m under a load of 1 N: (mbs, node, spring, load)."""
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddNode(NodePointGround())
    node = mbs.AddNode(Point(referenceCoordinates=[2, 0, 0]))
    mbs.AddObject(MassPoint(mass=5, nodeNumber=node))
    markers = [mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=0)) for n in (ground, node)]
    oSpring = mbs.AddObject(ObjectConnectorCoordinateSpringDamper(markerNumbers=markers,
                                                                  **{'stiffness': 5000, 'damping': 80, **spring}))
    load = mbs.AddLoad(LoadCoordinate(markerNumber=markers[1], load=1))
    return mbs, node, oSpring, load


class Items(unittest.TestCase):

    def test_class_and_dictionary_make_the_same_item(self):
        mbs = exu.MainSystem()
        a = mbs.AddNode(NodePoint(name='a', referenceCoordinates=[1, 2, 3]))
        b = mbs.AddNode({'nodeType': 'Point', 'name': 'b', 'referenceCoordinates': [1, 2, 3], 'Vshow': False})
        first, second = mbs.GetNode(a), mbs.GetNode(b)
        np.testing.assert_array_equal(first['referenceCoordinates'], second['referenceCoordinates'])
        self.assertEqual(second['Vshow'], False)
        self.assertEqual(mbs.GetNodeNumber('b'), b)

    def test_short_and_long_names_are_one_class(self):
        self.assertIs(exu.itemInterface.RigidBody, exu.itemInterface.ObjectRigidBody)
        self.assertIs(exu.itemInterface.VCoordinateSpringDamper,
                      exu.itemInterface.VObjectConnectorCoordinateSpringDamper)

    def test_every_registered_type_has_a_class_with_its_parameters(self):
        from catena import _catena
        for entry in _catena.types():
            cls = getattr(exu.itemInterface, entry['category'].capitalize() + entry['name'])
            item = dict(cls())
            self.assertEqual(item[entry['category'] + 'Type'], entry['name'])
            for field in entry['fields']:
                self.assertIn(field['name'], item)
                self.assertIn(field['name'], cls.__doc__)

    def test_older_names_of_parameters(self):
        mbs = exu.MainSystem()
        body = mbs.AddObject(RigidBody(physicsMass=2, physicsInertia=[1, 1, 1, 0, 0, 0]))
        self.assertEqual(mbs.GetObjectParameter(body, 'mass'), 2)
        self.assertEqual(mbs.GetObjectParameter(body, 'physicsMass'), 2)

    def test_lists_of_the_user_are_copied(self):
        position = [1., 0., 0.]
        item = NodePoint(referenceCoordinates=position)
        position[0] = 5
        self.assertEqual(item.referenceCoordinates[0], 1)
        self.assertIsNot(NodePoint().referenceCoordinates, NodePoint().referenceCoordinates)

    def test_indices_know_their_category(self):
        mbs = exu.MainSystem()
        node, ground = mbs.AddNode(Point()), mbs.AddObject(ObjectGround())
        self.assertEqual((repr(node), node + 1), ('0', 1))
        with self.assertRaisesRegex(TypeError, 'index of a object|index of an object'):
            mbs.AddObject(MassPoint(nodeNumber=ground))
        with self.assertRaises(TypeError):
            mbs.GetNodeParameter(ground, 'referenceCoordinates')


class Mistakes(unittest.TestCase):

    def check(self, error, text, action):
        with self.assertRaises(error) as caught:
            action()
        self.assertIn(text, str(caught.exception))

    def test_messages_name_item_parameter_and_remedy(self):
        mbs = exu.MainSystem()
        self.check(TypeError, "did you mean 'referenceCoordinates'?", lambda: NodePoint(referenceCoordinate=[0, 0, 0]))
        self.check(ValueError, 'mass = -1 kg must be >= 0', lambda: mbs.AddObject(MassPoint(mass=-1)))
        self.check(TypeError, "mass = 'heavy' has the wrong type: expected", lambda: mbs.AddObject(MassPoint(mass='heavy')))
        self.check(ValueError, 'has 2 values: expected', lambda: mbs.AddNode(Point(referenceCoordinates=[1, 2])))
        self.check(ValueError, "did you mean 'RigidBodyEP'?", lambda: mbs.AddNode({'nodeType': 'RigidBodyEp'}))
        self.check(TypeError, 'AddNode expects a node', lambda: mbs.AddNode(ObjectGround()))
        self.check(ValueError, 'not a finite number', lambda: mbs.AddObject(MassPoint(mass=float('nan'))))

    def test_a_refused_item_leaves_the_system_as_it_was(self):
        mbs = exu.MainSystem()
        with self.assertRaises(ValueError):
            mbs.AddObject(MassPoint(mass=-1))
        self.assertEqual(mbs.systemData.NumberOfObjects(), 0)

    def test_missing_references_are_found_by_assemble(self):
        mbs = exu.MainSystem()
        mbs.AddObject(MassPoint(mass=1, nodeNumber=7))
        self.check(ValueError, 'refers to no node', mbs.Assemble)

    def test_unassembled_system(self):
        mbs, node, _, _ = oscillator()
        self.check(ValueError, 'Assemble()', lambda: mbs.GetNodeOutput(node, exu.OutputVariableType.Position))

    def test_settings_are_checked(self):
        settings = exu.SimulationSettings()
        self.check(AttributeError, "did you mean 'endTime'?", lambda: setattr(settings.timeIntegration, 'endtime', 2))
        self.check(TypeError, 'wrong type', lambda: setattr(settings.timeIntegration, 'endTime', 'long'))
        self.check(ValueError, 'must lie in [0, 1]', lambda: setattr(settings.timeIntegration.generalizedAlpha, 'spectralRadius', 2))
        self.check(TypeError, 'wrong type', lambda: setattr(settings.staticSolver, 'numberOfLoadSteps', 'many'))
        self.check(TypeError, 'wrong type', lambda: setattr(settings.staticSolver.newton, 'maxIterations', 'many'))
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
        self.assertEqual(settings.linearSolverType, exu.LinearSolverType.EigenSparse)

    def test_settings_without_effect_are_kept_and_say_so(self):
        settings = exu.SimulationSettings()
        path = 'solutionSettings.recordImagesInterval'
        settings.solutionSettings.recordImagesInterval = 0.5
        self.assertEqual(settings.copy().solutionSettings.recordImagesInterval, 0.5)
        self.assertIn('no effect: there are no images', exu.SimulationSettings.describe(path))
        self.assertNotIn('no effect', exu.SimulationSettings.describe('timeIntegration.endTime'))
        other = exu.SimulationSettings()
        other.SetDictionary(settings.GetDictionary())  # accepts every value that it gives
        self.assertEqual(other.GetDictionary(), settings.GetDictionary())

    def test_two_items_of_one_name(self):
        mbs = exu.MainSystem()
        first = mbs.AddNode(Point(name='a'))
        self.check(ValueError, "the name 'a' is already taken", lambda: mbs.AddNode(Point(name='a')))
        exu._catena.beStrict(False)  # as for scripts of Exudyn
        self.addCleanup(exu._catena.beStrict, True)
        second = mbs.AddNode(Point(name='a'))
        self.assertEqual((mbs.GetNodeNumber('a'), mbs.GetNode(second)['name']), (first, 'a'))

    def test_what_is_missing_says_so(self):
        mbs, _, _, _ = oscillator()
        self.check(NotImplementedError, 'SolutionViewer', mbs.SolutionViewer)


class Results(unittest.TestCase):

    def test_outputs_are_numbers_or_arrays(self):
        mbs, node, spring, load = oscillator()
        mbs.SolveDynamic()
        self.assertIsInstance(mbs.GetObjectOutput(spring, exu.OutputVariableType.Force), float)
        position = mbs.GetNodeOutput(node, exu.OutputVariableType.Position)
        displacement = mbs.GetNodeOutput(node, 'Displacement')
        self.assertEqual(position.shape, (3,))
        self.assertEqual(position[0], 2 + displacement[0])
        start = mbs.GetNodeOutput(node, exu.OutputVariableType.Position, exu.ConfigurationType.Initial)
        np.testing.assert_array_equal(start, [2, 0, 0])
        np.testing.assert_array_equal(mbs.GetNodeOutput(node, exu.OutputVariableType.Position), position)
        self.assertEqual(mbs.GetLoadValues(load), 1)

    def test_stored_sensor_data_ends_at_the_end_time(self):
        mbs, node, _, _ = oscillator()
        sensor = mbs.AddSensor(SensorNode(nodeNumber=node, storeInternal=True,
                                          outputVariableType=exu.OutputVariableType.Displacement))
        mbs.Assemble()
        mbs.SolveDynamic()
        data = mbs.GetSensorStoredData(sensor)
        self.assertEqual(data.shape, (101, 4))
        self.assertAlmostEqual(data[-1, 0], 1, delta=1e-12)
        np.testing.assert_array_equal(data[-1, 1:], mbs.GetSensorValues(sensor))

    def test_a_run_starts_from_the_initial_state(self):
        mbs, node, _, _ = oscillator()
        mbs.Assemble()
        mbs.SolveDynamic()
        first = mbs.systemData.GetODE2Coordinates()
        mbs.SolveDynamic(updateInitialValues=True)
        np.testing.assert_array_equal(mbs.systemData.GetODE2Coordinates(), first)
        mbs.SolveDynamic()
        self.assertFalse(np.array_equal(mbs.systemData.GetODE2Coordinates(), first))

    def test_a_solution_file_brings_a_state_back(self):
        import os
        import tempfile
        mbs, node, _, _ = oscillator()
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.solutionSettings.outputPrecision = 17
        with tempfile.TemporaryDirectory() as directory:
            settings.solutionSettings.coordinatesSolutionFileName = os.path.join(directory, 'run', 'solution')
            mbs.SolveDynamic(settings)
            solution = exu.utilities.LoadSolutionFile(settings.solutionSettings.coordinatesSolutionFileName + '.txt')
        self.assertEqual((solution['nRows'], solution['columnsExported']['ODE2']), (101, 3))
        end = mbs.systemData.GetSystemState()
        exu.utilities.SetSolutionState(mbs, solution, 0)
        np.testing.assert_array_equal(mbs.GetNodeOutput(node, 'Displacement'), [0, 0, 0])
        exu.utilities.SetSolutionState(mbs, solution, -1)
        for a, b in zip(mbs.systemData.GetSystemState(), end):
            np.testing.assert_array_equal(a, b)

    def test_coordinates_are_set_and_read(self):
        mbs, node, _, _ = oscillator()
        mbs.Assemble()
        data = mbs.systemData
        data.SetODE2Coordinates([0.1, 0, 0], exu.ConfigurationType.Initial)
        np.testing.assert_array_equal(data.GetODE2Coordinates(exu.ConfigurationType.Initial), [0.1, 0, 0])
        np.testing.assert_array_equal(data.GetODE2Coordinates(exu.ConfigurationType.Reference), [2, 0, 0])
        self.assertEqual((data.ODE2Size(), data.NumberOfNodes(), data.GetNodeLTGODE2(node)), (3, 2, [0, 1, 2]))
        with self.assertRaises(ValueError):
            data.SetODE2Coordinates([0, 0])

    def test_a_changed_parameter_counts_in_the_next_run(self):
        mbs, node, spring, _ = oscillator()
        mbs.SolveDynamic()
        soft = mbs.GetNodeOutput(node, 'Displacement')[0]
        mbs.SetObjectParameter(spring, 'stiffness', 10000)
        mbs.SolveDynamic()
        self.assertLess(mbs.GetNodeOutput(node, 'Displacement')[0], 0.6 * soft)


class Create(unittest.TestCase):

    def test_revolute_pendulum_needs_no_markers(self):
        mbs = exu.MainSystem()
        ground = mbs.CreateGround()
        bar = mbs.CreateRigidBody(referencePosition=[0.5, 0, 0], gravity=[0, -9.81, 0],
                                  inertia=exu.rigidBodyUtilities.InertiaCuboid(1000, [1, 0.1, 0.1]))
        joint = mbs.CreateRevoluteJoint(bodyNumbers=[ground, bar], position=[0, 0, 0], axis=[0, 0, 1])
        mbs.Assemble()
        # constraint forces at rest in the horizontal position: a quarter of the weight for a thin bar
        settings = exu.SimulationSettings()
        settings.timeIntegration.endTime = 1e-4
        settings.timeIntegration.numberOfSteps = 1
        mbs.SolveDynamic(settings)
        weight = 9.81 * 10
        inertia = 10 / 12 * 1.01
        expected = weight * inertia / (inertia + 10 * 0.25)
        force = mbs.GetObjectOutput(joint, exu.OutputVariableType.ForceLocal)
        self.assertAlmostEqual(np.linalg.norm(force), expected, delta=1e-3 * expected)

    def test_spring_takes_its_length_from_the_reference_configuration(self):
        mbs = exu.MainSystem()
        ground = mbs.CreateGround()
        mass = mbs.CreateMassPoint(referencePosition=[3, 4, 0], physicsMass=1)
        spring = mbs.CreateSpringDamper(bodyNumbers=[ground, mass], stiffness=100)
        self.assertEqual(mbs.GetObjectParameter(spring, 'referenceLength'), 5)

    def test_initial_velocities_are_in_the_world_frame(self):
        for kind in ('RotationEulerParameters', 'RotationRxyz', 'RotationRotationVector'):
            mbs = exu.MainSystem()
            omega, A = [0.3, -0.2, 0.5], exu.rigidBodyUtilities.RotXYZ2RotationMatrix([0.1, 0.7, -0.4])
            body = mbs.CreateRigidBody(inertia=exu.rigidBodyUtilities.InertiaSphere(mass=1, radius=0.1),
                                       nodeType=exu.NodeType[kind], referenceRotationMatrix=A,
                                       initialRotationMatrix=exu.rigidBodyUtilities.RotationMatrixX(0.3),
                                       initialAngularVelocity=omega)
            mbs.Assemble()
            np.testing.assert_allclose(mbs.GetObjectOutput(body, 'AngularVelocity'), omega, atol=1e-14)
            rotation = np.reshape(mbs.GetObjectOutput(body, 'RotationMatrix'), (3, 3))
            np.testing.assert_allclose(rotation, A @ exu.rigidBodyUtilities.RotationMatrixX(0.3), atol=1e-14)


    def two_bodies(self, **second):
        """Ground and a body of 2 kg at [1, 2, 3], turned, in a system of its own."""
        mbs = exu.MainSystem()
        rb = exu.rigidBodyUtilities
        parameters = {'referencePosition': [1, 2, 3], 'inertia': rb.RigidBodyInertia(2, np.diag([0.1, 0.2, 0.25])),
                      'referenceRotationMatrix': rb.RotXYZ2RotationMatrix([0.3, -0.5, 0.7])}
        return mbs, mbs.CreateGround(), mbs.CreateRigidBody(**{**parameters, **second})

    def test_springs_of_frames_are_at_rest_in_the_reference_configuration(self):
        rb = exu.rigidBodyUtilities
        mbs, ground, body = self.two_bodies()
        spring = mbs.CreateRigidBodySpringDamper(bodyNumbers=[ground, body], localPosition0=[1, 2, 3],
                                                 stiffness=np.diag([100.] * 6), damping=np.eye(6),
                                                 rotationMatrixJoint=rb.RotationMatrixX(0.4))
        torsion = mbs.CreateTorsionalSpringDamper(bodyNumbers=[ground, body], position=[1, 2, 3], axis=[1, 1, 0],
                                                  stiffness=10, damping=1)
        mbs.SolveDynamic()
        np.testing.assert_allclose(mbs.GetObjectOutput(spring, 'ForceLocal'), 0, atol=1e-10)
        np.testing.assert_allclose(mbs.GetObjectOutput(spring, 'TorqueLocal'), 0, atol=1e-10)
        self.assertAlmostEqual(mbs.GetObjectOutput(torsion, 'Rotation'), 0, delta=1e-12)
        np.testing.assert_allclose(mbs.GetObjectOutputBody(body, 'Displacement'), 0, atol=1e-12)

    def test_torsional_spring_turns_a_body_as_a_closed_form_does(self):
        # J phi'' + k phi = 0 from phi' = omega on a hinge about an oblique axis; more than one turn
        axis, k, omega = np.array([1, 2, 2]) / 3, 2., 30.
        rb = exu.rigidBodyUtilities
        mbs, ground, body = self.two_bodies(initialAngularVelocity=omega * axis,
                                            inertia=rb.RigidBodyInertia(2, 0.2 * np.eye(3)))
        mbs.CreateRevoluteJoint(bodyNumbers=[ground, body], position=[1, 2, 3], axis=axis)
        spring = mbs.CreateTorsionalSpringDamper(bodyNumbers=[ground, body], position=[1, 2, 3], axis=axis, stiffness=k)
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = 4000
        settings.timeIntegration.endTime = 0.45
        settings.timeIntegration.generalizedAlpha.spectralRadius = 1
        mbs.SolveDynamic(settings)
        frequency = np.sqrt(k / 0.2)
        expected = omega / frequency * np.sin(0.45 * frequency)
        self.assertGreater(expected, 2 * np.pi)
        self.assertAlmostEqual(mbs.GetObjectOutput(spring, 'Rotation'), expected, delta=1e-5)

    def test_planar_body(self):
        rb = exu.rigidBodyUtilities
        mbs = exu.MainSystem()
        body = mbs.CreateRigidBody(create2D=True, inertia=rb.InertiaCuboid(1000, [1, 0.1, 0.1]), gravity=[0, -9.81, 0],
                                   referencePosition=[1, 2, 0], referenceRotationMatrix=rb.RotationMatrixZ(0.3),
                                   initialRotationMatrix=rb.RotationMatrixZ(0.2), initialVelocity=[3, 0, 0],
                                   initialAngularVelocity=[0, 0, 2], initialDisplacement=[0.5, 0, 0])
        mbs.SolveDynamic()
        np.testing.assert_allclose(mbs.GetObjectOutputBody(body, 'Position'), [4.5, 2 - 9.81 / 2, 0], atol=1e-9)
        np.testing.assert_allclose(mbs.GetObjectOutputBody(body, 'RotationMatrix').reshape(3, 3),
                                   rb.RotationMatrixZ(2.5), atol=1e-9)
        with self.assertRaisesRegex(ValueError, 'rotation about z'):
            mbs.CreateRigidBody(create2D=True, inertia=rb.InertiaSphere(1, 1), referenceRotationMatrix=rb.RotationMatrixX(1))

    def test_rolling_discs_keep_their_speed(self):
        # two upright discs, one with a constraint and one with stiff contact: omega r = v
        r = 0.2
        mbs = exu.MainSystem()
        ground = mbs.CreateGround()
        inertia = exu.rigidBodyUtilities.InertiaCylinder(1000, 0.02, r, axis=0)
        discs = [mbs.CreateRigidBody(inertia=inertia, referencePosition=[x, 0, r], initialVelocity=[0, 1, 0],
                                     initialAngularVelocity=[-1 / r, 0, 0], gravity=[0, 0, -9.81]) for x in (0, 1)]
        roll = mbs.CreateRollingDisc(bodyNumbers=[ground, discs[0]], discRadius=r, axisVector=[2, 0, 0])
        contact = mbs.CreateRollingDiscPenalty(bodyNumbers=[ground, discs[1]], discRadius=r, contactStiffness=1e5,
                                               contactDamping=1e3, dryFriction=[0.5, 0.5],
                                               dryFrictionProportionalZone=0.01)
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = 2000
        mbs.SolveDynamic(settings)
        for disc in discs:
            np.testing.assert_allclose(mbs.GetObjectOutputBody(disc, 'Velocity'), [0, 1, 0], atol=2e-3)
        for connector in (roll, contact):
            self.assertAlmostEqual(mbs.GetObjectOutput(connector, 'ForceLocal')[2], inertia.mass * 9.81, delta=1e-3)

    def test_a_sphere_comes_to_rest_on_another(self):
        mbs = exu.MainSystem()
        ground = mbs.CreateGround()
        ball = mbs.CreateRigidBody(inertia=exu.rigidBodyUtilities.InertiaSphere(mass=1, radius=0.1),
                                   referencePosition=[0, 0, 0.2], gravity=[0, 0, -9.81])
        contact = mbs.CreateSphereSphereContact(bodyNumbers=[ground, ball], spheresRadii=[0.1, 0.1],
                                                contactStiffness=1e4, contactDamping=100)
        mbs.SolveDynamic()
        self.assertAlmostEqual(mbs.GetObjectOutputBody(ball, 'Displacement')[2], -9.81e-4, delta=1e-8)
        self.assertAlmostEqual(abs(mbs.GetObjectOutput(contact, 'Force')[2]), 9.81, delta=1e-4)


class Removal(unittest.TestCase):

    def model(self):
        """Two masses on springs, with loads and sensors."""
        mbs = exu.MainSystem()
        ground = mbs.CreateGround(name='ground')
        masses = [mbs.CreateMassPoint(name=f'mass{i}', referencePosition=[i, 0, 0], mass=1 + i) for i in range(2)]
        springs = [mbs.CreateSpringDamper(name=f'spring{i}', bodyNumbers=[ground, mass], stiffness=100, referenceLength=0.5,
                                          springForceUserFunction=lambda mbs, t, i, u, v, k, d, f: (1 + i) * k * u)
                   for i, mass in enumerate(masses)]
        loads = [mbs.CreateForce(name=f'load{i}', bodyNumber=mass, loadVector=[0, 1, 0]) for i, mass in enumerate(masses)]
        for i, mass in enumerate(masses):
            mbs.AddSensor(SensorBody(name=f'sensor{i}', bodyNumber=mass,
                                     outputVariableType=exu.OutputVariableType.Position))
        return mbs, masses, springs, loads

    def counts(self, mbs):
        data = mbs.systemData
        return [getattr(data, f'NumberOf{c}s')() for c in ('Node', 'Object', 'Marker', 'Load', 'Sensor')]

    def test_an_object_goes_with_all_that_depends_on_it(self):
        mbs, masses, springs, _ = self.model()
        self.assertEqual(self.counts(mbs), [2, 5, 6, 2, 2])
        mbs.Assemble()
        mbs.DeleteObject(masses[0])
        self.assertFalse(mbs.systemIsConsistent)
        self.assertEqual(self.counts(mbs), [1, 3, 4, 1, 1])  # the ground's marker of the spring stays
        mbs.SolveDynamic()
        # the number that a function gets is that of the item now
        alone = exu.MainSystem()
        ground = alone.CreateGround()
        mass = alone.CreateMassPoint(referencePosition=[1, 0, 0], mass=2)
        alone.CreateSpringDamper(bodyNumbers=[ground, mass], stiffness=100, referenceLength=0.5,
                                 springForceUserFunction=lambda mbs, t, i, u, v, k, d, f: (1 + i) * k * u)
        alone.CreateForce(bodyNumber=mass, loadVector=[0, 1, 0])
        alone.SolveDynamic()
        np.testing.assert_array_equal(mbs.GetSensorValues(mbs.GetSensorNumber('sensor1')),
                                      alone.GetObjectOutputBody(mass, 'Position'))

    def test_loads_sensors_and_nodes(self):
        mbs, _, _, loads = self.model()
        mbs.DeleteLoad(loads[0])
        self.assertEqual(self.counts(mbs), [2, 5, 5, 1, 2])
        self.assertEqual(mbs.GetLoad(0)['name'], 'load1')
        mbs.DeleteLoad(mbs.GetLoadNumber('load1'), deleteDependentMarkers=False)
        self.assertEqual(self.counts(mbs), [2, 5, 5, 0, 2])
        mbs.DeleteSensor(0)
        self.assertEqual(mbs.GetSensor(0)['name'], 'sensor1')
        mbs.Assemble()
        mbs.DeleteNode(0)
        self.assertEqual(mbs.GetObject(mbs.GetObjectNumber('mass0'))['nodeNumber'], -1)
        with self.assertRaisesRegex(ValueError, 'mass0'):
            mbs.Assemble()
        with self.assertRaisesRegex(ValueError, 'there is no marker 99'):
            mbs.DeleteMarker(99)


class Copies(unittest.TestCase):

    def test_dictionary_and_pickle_make_the_same_system(self):
        import pickle
        mbs = exu.SystemContainer().AddSystem()
        ground = mbs.CreateGround()
        body = mbs.CreateRigidBody(name='bar', inertia=InertiaCuboid(1000, [1, 0.1, 0.1]), referencePosition=[0.5, 0, 0],
                                   gravity=[0, -9.81, 0])
        mbs.CreateRevoluteJoint(bodyNumbers=[ground, body], position=[0, 0, 0], axis=[0, 0, 1])
        mbs.AddSensor(SensorBody(bodyNumber=body, localPosition=[0.5, 0, 0],
                                 outputVariableType=exu.OutputVariableType.Position))
        mbs.variables['tip'] = [1, 2]
        copies = [exu.MainSystem(), pickle.loads(pickle.dumps(mbs))]
        copies[0].SetDictionary(mbs.GetDictionary())
        mbs.SolveDynamic()
        for copy in copies:
            self.assertEqual(copy.variables, {'tip': [1, 2]})
            self.assertEqual(copy.GetObject(copy.GetObjectNumber('bar'))['Vshow'], True)
            copy.SolveDynamic()
            np.testing.assert_array_equal(copy.GetSensorStoredData(0), mbs.GetSensorStoredData(0))

    def test_types_by_category(self):
        types = exu.MainSystem.GetAvailableFactoryItems()
        self.assertIn('RigidBodyEP', types['Node'])
        self.assertIn('JointGeneric', types['Object'])
        self.assertNotIn('ObjectJointGeneric', types['Object'])

    def test_places_of_multipliers(self):
        mbs = exu.SystemContainer().AddSystem()
        ground = mbs.CreateGround()
        points = [mbs.CreateMassPoint(physicsMass=1, referencePosition=[i, 0, 0]) for i in (1, 2)]
        sphere = mbs.CreateSphericalJoint(bodyNumbers=[ground, points[0]], position=[1, 0, 0])
        rod = mbs.CreateDistanceConstraint(bodyNumbers=points)
        mbs.Assemble()
        data = mbs.systemData
        self.assertEqual([data.GetObjectLTGAE(i) for i in (points[0], sphere, rod)], [[], [0, 1, 2], [3]])
        self.assertIn(f'object {rod}: ODE2 [], ODE1 [], AE [3]', data.InfoLTG())


class Json(unittest.TestCase):

    def test_a_model_survives_the_way_through_a_file_bit_for_bit(self):
        import os
        import tempfile
        mbs, node, spring, load = oscillator(springForceUserFunction='k*u + d*v + u^3/3')
        mbs.SetNodeParameter(node, 'initialVelocities', [0.1 + 0.2, 1e-300, -0.0])
        settings = exu.SimulationSettings()
        settings.timeIntegration.endTime = 1 / 3
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.solutionSettings.sensorsWritePeriod = 0.1
        settings.solutionSettings.recordImagesInterval = 0.5  # without effect
        settings.parallel.taskSplitMinItems = 7
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, 'model.json')
            mbs.ToJson(path, settings, name='oscillator')
            other, read = exu.FromJson(path)
            other.ToJson(path + '2', read, name='oscillator')
            with open(path) as a, open(path + '2') as b:
                self.assertEqual(a.read(), b.read())
        self.assertEqual(read.GetDictionary(), settings.GetDictionary())
        self.assertEqual(str(other.GetNodeParameter(node, 'initialVelocities')[2]), '-0.0')
        mbs.Assemble()
        mbs.SolveDynamic(settings)
        other.SolveDynamic(read)
        np.testing.assert_array_equal(mbs.systemData.GetODE2Coordinates(), other.systemData.GetODE2Coordinates())

    def messages(self, model, settings=None):
        """Type and text of the error that a model raises when it is read from a file, and when it is built here."""
        import json
        import os
        import tempfile

        def from_file():
            with tempfile.TemporaryDirectory() as directory:
                path = os.path.join(directory, 'model.json')
                with open(path, 'w') as file:
                    json.dump({'model': model, 'simulationSettings': settings or {}}, file)
                try:
                    mbs, read = exu.FromJson(path)
                    mbs.SolveDynamic(read)
                except (TypeError, ValueError) as error:
                    error.args = (str(error).replace(path + ': ', ''),)
                    raise

        def from_python():
            mbs = exu.MainSystem()
            for category in ('node', 'object', 'marker', 'load', 'sensor'):
                for item in model.get(category + 's', ()):
                    parameters = dict(item)
                    mbs._add(category, {category + 'Type': parameters.pop('type'), **parameters})
            given = exu.SimulationSettings()
            given.SetDictionary(settings or {})
            mbs.SolveDynamic(given)

        errors = []
        for build in (from_file, from_python):
            with self.assertRaises((ValueError, TypeError, AttributeError)) as caught:
                build()
            errors.append(caught.exception)
        return errors

    def test_mistakes_read_alike_in_files_and_in_python(self):
        point, mass, ground = {'type': 'Point'}, {'type': 'MassPoint', 'mass': 1, 'nodeNumber': 0}, {'type': 'Ground'}
        on_body, on_ground = ({'type': 'BodyPosition', 'bodyNumber': k} for k in (0, 1))
        spring = {'type': 'ConnectorSpringDamper', 'markerNumbers': [1, 0], 'stiffness': 1, 'referenceLength': 1}

        def with_joint(joint, markers=(on_body, on_ground), **more):
            return {'nodes': [point], 'objects': [mass, ground, joint], 'markers': list(markers), **more}
        models = [{'nodes': [node]} for node in (
            {'type': 'Point', 'referenceCoordinates': [1, 2]}, {'type': 'Point', 'referenceCoordinate': [1, 2, 3]},
            {'type': 'RigidBodyEp'}, {'type': 'Point', 'initialVelocities': 'fast'},
            {'type': 'RigidBodyEP', 'referenceCoordinates': [0, 0, 0, 2, 0, 0, 0]})]
        models += [{'objects': [item]} for item in (
            {'type': 'MassPoint', 'mass': -1}, {'type': 'MassPoint', 'mass': 1, 'nodeNumber': 7},
            {'type': 'MassPoint', 'mass': 1}, {'type': 'RigidBody', 'mass': 1, 'inertia': [1, 1, 5, 0, 0, 0]},
            {'type': 'JointGeneric', 'constrainedAxes': [2] * 6},
            {'type': 'Ground', 'referenceRotation': [[1, 0, 0], [0, 2, 0], [0, 0, 1]]})]
        models += [{}, {'nodes': [point, point], 'objects': [mass, ground]}]
        models += [{'nodes': [dict(point, name='a'), dict(point, name='a')], 'objects': [mass]}]
        models += [with_joint(joint) for joint in (
            {'type': 'JointGeneric', 'markerNumbers': [0, 1]}, {'type': 'JointGeneric', 'markerNumbers': [0]},
            dict(spring, markerNumbers=[0, 0]), dict(spring, markerNumbers=[0, 5]), dict(spring, damping='much'),
            dict(spring, springForceUserFunction='k*'), dict(spring, springForceUserFunction='k*length'),
            {'type': 'ConnectorCoordinate', 'markerNumbers': [0, 1]})]
        models += [with_joint(spring, (on_body, on_ground, marker)) for marker in (
            {'type': 'NodeCoordinate', 'nodeNumber': 0, 'coordinate': 3}, {'type': 'BodyMass', 'bodyNumber': 2},
            {'type': 'BodyRigid', 'bodyNumber': 0, 'localPosition': [0, 0]})]
        models += [with_joint(spring, loads=[load]) for load in (
            {'type': 'ForceVector', 'markerNumber': 0, 'loadVector': [1, 2]},
            {'type': 'ForceVector', 'markerNumber': 0, 'loadVectorUserFunction': ['1', '2']},
            {'type': 'TorqueVector', 'markerNumber': 0, 'loadVector': [0, 0, 1]})]
        models += [with_joint(spring, sensors=[sensor]) for sensor in (
            {'type': 'Node', 'nodeNumber': 0, 'outputVariableType': 'Rotation'},
            {'type': 'Node', 'nodeNumber': 0, 'outputVariableType': 'Positon'},
            {'type': 'Object', 'objectNumber': 9, 'outputVariableType': 'Force'})]
        for model in models:
            with self.subTest(model=model):
                from_file, from_python = self.messages(model)
                self.assertEqual(str(from_file), str(from_python))
                self.assertIs(type(from_file), type(from_python))
        good = with_joint(spring)
        for settings in ({'timeIntegration': {'endTime': 0.}}, {'timeIntegration': {'numberOfSteps': -1}},
                         {'timeIntegration': {'numberOfSteps': 'many'}}, {'linearSolverType': 'magic'}):
            with self.subTest(settings=settings):
                from_file, from_python = self.messages(good, settings)
                self.assertEqual(str(from_file), str(from_python))

    def test_python_functions_have_no_text(self):
        mbs, _, _, _ = oscillator(springForceUserFunction=lambda *a: 0.)
        with self.assertRaisesRegex(ValueError, 'springForceUserFunction'):
            mbs.ToJson('/dev/null')


if __name__ == '__main__':
    unittest.main()
