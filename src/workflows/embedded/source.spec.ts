import { bundleOf, SILENT, TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import type { FlowGraph, FlowNode, FlowTrigger } from '../graph/graph.js';
import { CompileError } from './bundle.js';
import { sourceOf } from './source.js';

const FLOW_ID = '000000000000000000000001';

function graphOf(nodes: readonly FlowNode[], trigger: Partial<FlowTrigger> = {}): FlowGraph {
  return {
    triggers: [{ type: 'direct', key: 'go', outputIds: [[nodes[0]?.id ?? 'none']], ...trigger }],
    nodes,
  };
}

const calling = (id: string, type: string, next: string[] = []): FlowNode => ({
  id,
  type: 'RegisteredFunctionNode',
  config: { functionName: 'read', inputs: [{ type, valueTemplate: '1' }] },
  outputIds: [next],
});

describe('invalid bundle', () => {
  it.each<[string, FlowGraph, string, object]>([
    [
      'a node without what it needs',
      graphOf([{ id: 'a', type: 'ConditionalNode', config: {} }]),
      'workflow "Flow", node a, config.expression: is required',
      { node: 'a', field: 'config.expression' },
    ],
    [
      'an expression that does not parse',
      graphOf([{ id: 'a', type: 'ConditionalNode', config: { expression: '1 +' } }]),
      'workflow "Flow", node a, config.expression: ',
      { node: 'a', field: 'config.expression' },
    ],
    [
      'a type of node that devices do not know',
      graphOf([{ id: 'a', type: 'HttpNode', config: {} }]),
      'workflow "Flow", node a, type: HttpNode cannot be compiled',
      { node: 'a', field: 'type' },
    ],
    [
      'a type of trigger that devices do not know',
      graphOf([{ id: 'a', type: 'AnnotationNode' }], { type: 'webhook' }),
      'workflow "Flow", node webhook: is not valid for Embedded workflows',
      { node: 'webhook' },
    ],
    [
      'a timer by the calendar',
      graphOf([{ id: 'a', type: 'AnnotationNode' }], { type: 'timer', config: { cron: '* * * * *' } }),
      'workflow "Flow", node timer, config.seconds: timers of devices must have a period in seconds; cron expressions are not supported',
      { node: 'timer', field: 'config.seconds' },
    ],
    [
      'a path that leads back',
      graphOf([
        { id: 'a', type: 'AnnotationNode', outputIds: [['b']] },
        { id: 'b', type: 'AnnotationNode', outputIds: [['c']] },
        { id: 'c', type: 'AnnotationNode', outputIds: [['b']] },
      ]),
      'workflow "Flow", node b, outputIds: is part of a path that leads back to itself',
      { node: 'b', field: 'outputIds' },
    ],
    [
      'an output to nowhere',
      graphOf([{ id: 'a', type: 'AnnotationNode', outputIds: [['gone']] }]),
      'workflow "Flow", node a, outputIds: leads to "gone", which does not exist',
      { node: 'a', field: 'outputIds' },
    ],
    [
      'one function with two signatures',
      graphOf([calling('a', 'i32', ['b']), calling('b', 'f64')]),
      'workflow "Flow", node b, config: read has other parameters at node a of workflow "Flow"',
      { node: 'b', field: 'config' },
    ],
    [
      'a global that is not valid JSON',
      { ...graphOf([{ id: 'a', type: 'AnnotationNode' }]), globals: [{ key: 'g', json: '{' }] },
      'workflow "Flow", globals: the global "g" is not valid JSON',
      { field: 'globals' },
    ],
    [
      'a global that is too deep',
      {
        ...graphOf([{ id: 'a', type: 'AnnotationNode' }]),
        globals: [
          { key: 'fits', json: '['.repeat(128) + ']'.repeat(128) },
          { key: 'g', json: '['.repeat(20_000) + ']'.repeat(20_000) },
        ],
      },
      'workflow "Flow", globals: the global "g" is nested more than 128 levels deep',
      { field: 'globals' },
    ],
  ])('fails with the workflow, node and field of %s', (_, graph, message, fault) => {
    let error: unknown;
    try {
      sourceOf(bundleOf({ Flow: graph }), SILENT);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(CompileError);
    expect((error as CompileError).message).toContain(message);
    expect((error as CompileError).fault).toMatchObject({ flowId: FLOW_ID, flowName: 'Flow', ...fault });
  });
});

describe('source of a bundle', () => {
  const stepsOf = (graph: FlowGraph) => sourceOf(bundleOf({ Flow: graph }), TALKATIVE).files['steps.ts']!;

  it('contains no step for nodes that no trigger leads to', () => {
    const source = stepsOf(
      graphOf([
        { id: 'a', type: 'AnnotationNode' },
        { id: 'b', type: 'HttpNode' },
      ]),
    );
    expect(source).toContain('case 0:');
    expect(source).not.toContain('case 1:');
  });

  it('declares a function used by several nodes once, and lists it in the imports', () => {
    const { files, imports } = sourceOf(
      bundleOf({ Flow: graphOf([calling('a', 'i32', ['b']), calling('b', 'i32')]) }),
      TALKATIVE,
    );
    expect(files['steps.ts']!.split('declare function').length).toBe(2);
    expect(imports).toEqual([{ name: 'eea_fn_read', params: ['i32'] }]);
  });

  it('gives globals of a workflow precedence over those of the application', () => {
    const bundle = bundleOf(
      { Flow: { globals: [{ key: 'a', json: '"own"' }] } },
      { globals: [{ key: 'a', json: '"all"' }] },
    );
    const constants = /CONSTANT_BYTES: usize = memory\.data<u8>\(\[([\d, ]*)\]/.exec(
      sourceOf(bundle, SILENT).files['bundle.ts']!,
    )![1]!;
    const text = Buffer.from(constants.split(',').map(Number)).toString();
    expect(text).toContain('{"a":"own"}');
    expect(text).not.toContain('"all"');
  });
});
