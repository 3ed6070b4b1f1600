"""The graph of the items of a system."""

import importlib.util
import unittest

import catena as exu
from catena.utilities import InertiaCuboid, SensorObject

MISSING = [name for name in ('networkx', 'matplotlib') if not importlib.util.find_spec(name)]


@unittest.skipIf(MISSING, 'not installed: ' + ', '.join(MISSING))
class SystemGraph(unittest.TestCase):

    def setUp(self):
        import matplotlib
        matplotlib.use('Agg')
        mbs = self.mbs = exu.SystemContainer().AddSystem()
        ground = mbs.CreateGround()
        bar = mbs.CreateRigidBody(referencePosition=[0.5, 0, 0], inertia=InertiaCuboid(1000, [1, 0.1, 0.1]),
                                  gravity=[0, -9.81, 0], name='bar')
        joint = mbs.CreateRevoluteJoint(bodyNumbers=[ground, bar], position=[0, 0, 0], axis=[0, 0, 1])
        mbs.AddSensor(SensorObject(objectNumber=joint, outputVariableType=exu.OutputVariableType.ForceLocal))

    def test_edges_are_references(self):
        _, graph, items = self.mbs.DrawSystemGraph()
        # ground, bar, joint; the node of the bar; markers for its weight and the joint; weight; sensor
        self.assertEqual({frozenset(edge) for edge in graph.edges}, {frozenset(edge) for edge in [
            (('object', 1), ('node', 0)), (('marker', 0), ('object', 1)), (('load', 0), ('marker', 0)),
            (('marker', 1), ('object', 0)), (('marker', 2), ('object', 1)), (('object', 2), ('marker', 1)),
            (('object', 2), ('marker', 2)), (('sensor', 0), ('object', 2))]})
        self.assertEqual(set(items), set(graph.nodes))
        self.assertEqual(items['object', 1]['name'], 'bar')

    def test_labels_and_categories(self):
        import matplotlib.pyplot as plt
        _, graph, _ = self.mbs.DrawSystemGraph(showLoads=False, showSensors=False, useItemNames=True, multiLine=False)
        self.assertEqual({category for category, _ in graph}, {'node', 'object', 'marker'})
        labels = {text.get_text() for text in plt.gca().texts}
        self.assertIn('bar RigidBody', labels)
        self.assertIn('object0 Ground', labels)
        plt.close('all')


if __name__ == '__main__':
    unittest.main()
