import { node, refusal } from '../../../test/doubles/graph-rules.js';
import { ID, OTHER_ID, SAMPLE } from '../../../test/make/graphs.js';
import type { FlowGraph, FlowNode } from './graph.js';
import { checkGraph } from './graph.rules.js';

describe('A custom node', () => {
  const cap = (id: string, name?: string, groupId?: string): FlowNode => ({
    id,
    type: 'CustomNodeCapNode',
    meta: { ...(name ? { name: `custom-node-end-${name}` } : {}), groupId },
  });
  const of = (nodes: FlowNode[], more: FlowGraph = {}): FlowGraph => ({
    triggers: [{ type: 'customNodeStart' }],
    nodes,
    ...more,
  });
  const config = (outputCount: number, ids: string[] = []) => ({
    customNodeConfig: { outputCount, resultMode: 'none', fields: ids.map((id) => ({ id })) },
  });

  it('has exactly one start and at least one end', () => {
    const start = { type: 'customNodeStart', meta: { label: 'Start' } };
    expect(refusal('customNode', {})).toBe('flow.triggers must have a customNodeStart');
    expect(refusal('customNode', of([cap('a')], { triggers: [start, start] }))).toBe(
      'flow.triggers.1 (Start): There must be exactly one customNodeStart.',
    );
    expect(refusal('customNode', of([node('a')]))).toBe(
      'flow.nodes must have at least one CustomNodeCapNode',
    );
    expect(() => checkGraph('customNode', of([cap('a'), cap('b')]))).not.toThrow();
  });

  it('cannot end inside a loop, and only custom nodes have such an end', () => {
    const nodes = [node('l', { type: 'LoopNode' }), cap('a'), cap('b', 'single', 'l')];
    expect(refusal('customNode', of(nodes))).toBe(
      'flow.nodes.2 (b): CustomNodeCapNode must not be inside a loop.',
    );
    expect(refusal('cloud', { nodes: [cap('a')] })).toBe(
      'flow.nodes.0 (a): CustomNodeCapNode is not valid for Cloud workflows.',
    );
  });

  it('cannot execute itself', () => {
    const execute = (customNodeId: unknown) =>
      of([cap('a'), node('b', { type: 'CustomNodeExecuteNode', config: { customNodeId } })]);
    expect(refusal('customNode', execute(ID.toUpperCase()), 'flow', ID)).toBe(
      'flow.nodes.1 (b): A custom node cannot execute itself.',
    );
    for (const id of [OTHER_ID, '{{working.id}}', undefined, 7])
      expect(() => checkGraph('customNode', execute(id), { ownId: ID })).not.toThrow();
    expect(() => checkGraph('customNode', execute(ID))).not.toThrow();
  });

  it('has end nodes that match its number of outputs', () => {
    expect(refusal('customNode', of([cap('a', 'single'), cap('b', 'true')], config(1)))).toBe(
      'flow.nodes.1 (b): meta.name custom-node-end-true requires 2 outputs, but customNodeConfig.outputCount is 1',
    );
    expect(refusal('customNode', of([cap('a', 'single')], config(2)))).toBe(
      'flow.nodes.0 (a): meta.name custom-node-end-single requires 1 output, but customNodeConfig.outputCount is 2',
    );
    for (const names of [['single'], ['single', 'single'], [undefined]])
      expect(() =>
        checkGraph(
          'customNode',
          of(
            names.map((name, i) => cap(`n${i}`, name)),
            config(1),
          ),
        ),
      ).not.toThrow();
    const odd = { ...cap('a'), meta: { name: 'constructor' } };
    for (const nodes of [[cap('a', 'true'), cap('b', 'false')], [odd]])
      expect(() => checkGraph('customNode', of(nodes, config(2)))).not.toThrow();
  });

  it('has unique field IDs', () => {
    expect(refusal('customNode', of([cap('a')], config(1, ['a', 'b', 'a'])))).toBe(
      'flow.customNodeConfig.fields.2.id "a" is a duplicate',
    );
    const fields = [{ type: 'section' }, { type: 'section' }];
    expect(() =>
      checkGraph(
        'customNode',
        of([cap('a')], {
          customNodeConfig: { ...SAMPLE.customNode.customNodeConfig!, fields, outputCount: 1 },
        }),
      ),
    ).not.toThrow();
  });
});
