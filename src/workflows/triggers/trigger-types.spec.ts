import { ValidationError } from '../../lib/errors/errors.js';
import { FLOW_CLASSES, type FlowClass, type FlowGraph, type FlowTrigger } from '../graph/graph.js';
import { checkGraph } from '../graph/graph.rules.js';
import { ID } from '../../../test/make/graphs.js';
import { TRIGGER_TYPES } from './trigger-types.js';

function refusal(flowClass: FlowClass, graph: FlowGraph): string {
  try {
    checkGraph(flowClass, graph);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    return (error as Error).message;
  }
  throw new Error('It was not refused');
}

/** Returns a custom node with additional triggers. */
const customNode = (triggers: FlowTrigger[]): FlowGraph => ({
  triggers: [{ type: 'customNodeStart' }, ...triggers],
  nodes: [{ id: 'end', type: 'CustomNodeCapNode' }],
});

/** Returns a graph that is valid apart from the tested triggers. */
function graphOf(flowClass: FlowClass, triggers: FlowTrigger[]): FlowGraph {
  const graph = flowClass === 'customNode' ? customNode(triggers) : { triggers };
  return { ...graph, minimumAgentVersion: '9.0.0' };
}

describe('A trigger', () => {
  /** Returns a minimal trigger of each type. */
  const least = (type: string): FlowTrigger => {
    const rule = TRIGGER_TYPES[type]!.key;
    const keys = ['a/b', '/a', 'error', 'topic'];
    if ('id' in rule) return { type, key: ID };
    if ('pattern' in rule) return { type, key: keys.find((key) => rule.pattern.test(key))! };
    return type === 'timer' ? { type, config: { seconds: 1 } } : { type };
  };
  const types = Object.keys(TRIGGER_TYPES).filter((type) => type !== 'customNodeStart');

  it('has one of 40 types', () => {
    expect(Object.keys(TRIGGER_TYPES)).toHaveLength(40);
    for (const type of ['nothing', 'constructor', '__proto__', 'Timer'])
      expect(refusal('cloud', { triggers: [{ type }] })).toBe(
        `flow.triggers.0 (${type}): ${type} is not a type of trigger.`,
      );
  });

  it.each(types)('of type %s is only accepted in workflows of its classes', (type) => {
    const { classes } = TRIGGER_TYPES[type]!;
    expect(classes.length).toBeGreaterThan(0);
    for (const flowClass of FLOW_CLASSES) {
      const graph = graphOf(flowClass, [least(type)]);
      if (classes.includes(flowClass)) expect(() => checkGraph(flowClass, graph)).not.toThrow();
      else expect(refusal(flowClass, graph)).toMatch(`${type} is not valid for `);
    }
  });

  it('is rejected with the class that it is not valid for', () => {
    const say = (flowClass: FlowClass, type: string) =>
      refusal(flowClass, graphOf(flowClass, [least(type)])).replace(/^.*?: /, '');
    expect(say('experience', 'timer')).toBe('timer is not valid for Experience workflows.');
    expect(say('embedded', 'webhook')).toBe('webhook is not valid for Embedded workflows.');
    expect(say('customNode', 'timer')).toBe('timer is not valid for Custom Node workflows.');
    expect(say('cloud', 'fileTail')).toBe('fileTail is not valid for Cloud workflows.');
    expect(say('edge', 'endpoint')).toBe('endpoint is not valid for Edge workflows.');
  });

  it.each(types)('of type %s accepts its names and rejects unknown properties', (type) => {
    const { classes, names } = TRIGGER_TYPES[type]!;
    const check = (more: Partial<FlowTrigger>) => {
      const trigger = { ...least(type), ...(type === 'snmpTrap' ? {} : { config: {} }), ...more };
      checkGraph(classes[0]!, graphOf(classes[0]!, [trigger]));
    };
    for (const name of names)
      expect(() => check({ meta: { category: 'trigger', name, label: 'A', x: 1, y: 2.5 } })).not.toThrow();
    expect(() => check({ meta: { name: 'other' } })).toThrow(/: meta\.name must be one of /);
    expect(() => check({ meta: { colour: 'red' } })).toThrow(': meta.colour is not a property of meta');
    expect(() => check({ meta: { x: '1' } })).toThrow(': meta.x must be a number');
    expect(() => check({ config: { extra: 1 } })).toThrow(
      /: config\.(extra is not a property of config|\w+ is required)/,
    );
  });

  it.each<[string, object, string]>([
    ['timer', { config: { seconds: '60' } }, 'config.seconds must be a number'],
    ['timer', { config: { seconds: 0 } }, 'config.seconds must be > 0'],
    ['timer', { config: { cron: 'x'.repeat(256) } }, 'config.cron must have at most 255 characters'],
    ['timer', { meta: { weekdays: [0, 1, 2, 3, 4, 5, 6, 7] } }, 'meta.weekdays must have at most 7 entries'],
    ['timer', { meta: { timerTypeSelect: 'hourly' } }, 'meta.timerTypeSelect must be one of'],
    ['flowError', { config: { scope: 'universe' } }, 'config.scope must be one of'],
    ['mqttTopic', { key: 'a', config: { integrationId: ID } }, 'config.integrationId must be one of'],
    [
      'deviceId',
      { key: ID, config: { attributeWhitelist: ['a b'] } },
      'config.attributeWhitelist.0 must match the pattern',
    ],
    ['virtualButton', { meta: { deviceId: 'none' } }, 'meta.deviceId must match the pattern'],
    ['webhook', { key: ID, meta: { label: '' } }, 'meta.label must have at least 1 characters'],
  ])('of type %s with %j is rejected with the reason', (type, more, words) => {
    expect(refusal('cloud', { triggers: [{ type, ...more }] })).toContain(
      `flow.triggers.0 (${type}): ${words}`,
    );
  });

  it.each<[string, object, string]>([
    ['beckhoff', { config: { cycleTimeMs: 9 } }, 'config.cycleTimeMs must be >= 10'],
    ['onSync', { config: { syncTypes: [] } }, 'config.syncTypes must have at least 1 entries'],
    ['opcua', { config: { uri: 'plant' } }, 'config.uri must be a URI'],
    ['snmpTrap', { config: { udpPort: '162' } }, 'config.snmpTrapConfig is required'],
    [
      'snmpTrap',
      { config: { udpPort: '162', snmpTrapConfig: { user: { name: 'a' } } } },
      'config.snmpTrapConfig.user.securityLevel is required',
    ],
  ])('of type %s with %j on an edge device is rejected with the reason', (type, more, words) => {
    expect(refusal('edge', graphOf('edge', [{ type, ...more }]))).toContain(`(${type}): ${words}`);
  });

  it.each<[string, string[], (string | undefined)[]]>([
    ['webhook', [ID, ID.toUpperCase()], [undefined, '', 'token', `${ID}0`, ` ${ID}`]],
    ['endpoint', [ID, '0'.repeat(24)], [undefined, '', 'any']],
    ['deviceIdConnect', [ID], [undefined, 'a/b']],
    ['deviceTag', ['site/north', 'site/', '/north', '/', 'a/b/c'], [undefined, '', 'site', 'si te/north']],
    ['deviceTagInactivity', ['site/north'], [undefined, 'north']],
    ['event', ['any', 'info', 'warning', 'error', 'critical'], [undefined, 'fatal', 'anyinfo']],
    [
      'mqttTopic',
      ['a', '/', 'a//b', 'a/$b', '+', '#', '/#', 'a/+/b/#', '+/+', 'a b/\n'],
      [undefined, '', '$SYS/#', '$a', 'a/#/b', '#/', 'a#', 'a/b+', '+a', 'a/++/b', 'a/#b'],
    ],
    ['appFile', ['/', '/a/b.csv'], [undefined, 'a']],
    ['timer', ['anything'], []],
  ])('of type %s accepts keys such as %j, but not %j', (type, good, bad) => {
    for (const key of good) expect(() => checkGraph('cloud', { triggers: [{ type, key }] })).not.toThrow();
    for (const key of bad)
      expect(refusal('cloud', { triggers: [{ type, key }] })).toMatch(`the key of ${type} must be `);
  });

  it('of type timer on a device requires seconds, because devices have no calendar', () => {
    const timer = (config?: FlowTrigger['config']) => graphOf('embedded', [{ type: 'timer', config }]);
    for (const config of [{ seconds: 0.5 }, { seconds: 60, cron: '', tz: 'Europe/Berlin' }])
      expect(() => checkGraph('embedded', timer(config))).not.toThrow();
    const at = 'flow.triggers.0 (timer): config.';
    for (const config of [{ cron: '* * * * *' }, { cron: '* * * * *', seconds: 60 }])
      expect(refusal('embedded', timer(config))).toBe(`${at}cron is not valid for Embedded workflows.`);
    for (const config of [undefined, {}, { tz: 'Europe/Berlin' }, { cron: '' }])
      expect(refusal('embedded', timer(config))).toBe(`${at}seconds is required for Embedded workflows.`);
    for (const flowClass of ['cloud', 'edge'] as const)
      expect(() =>
        checkGraph(flowClass, graphOf(flowClass, [{ type: 'timer', config: { cron: '* * * * *' } }])),
      ).not.toThrow();
  });

  it('of type virtualButton can have a JSON object as text as its payload', () => {
    const press = (payload: string): FlowGraph => ({
      triggers: [{ type: 'virtualButton', meta: { payload } }],
    });
    for (const payload of ['', '{}', ' {"a":[1]} '])
      expect(() => checkGraph('cloud', press(payload))).not.toThrow();
    for (const payload of ['[]', '1', 'null', '"a"', '{a:1}', 'text'])
      expect(refusal('cloud', press(payload))).toContain('meta.payload must be a JSON object as text');
  });
});
