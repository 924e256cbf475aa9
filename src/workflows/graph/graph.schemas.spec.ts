import { Ajv } from 'ajv';
import { forAjv } from '../../platform/responses/contract.js';
import {
  CATEGORY,
  CUSTOM_NODE_CONFIG,
  CUSTOM_NODE_SUPPORTS,
  FLOW_GLOBALS,
  ICON_DATA,
  MINIMUM_AGENT_VERSION_PATTERN,
  NODES,
  TRIGGERS,
} from './graph.schemas.js';
import { SAMPLE, SAMPLES } from '../../../test/make/graphs.js';
import { TRIGGER_TYPES } from '../triggers/trigger-types.js';

type Schema = Record<string, any>;
const ajv = new Ajv({ strict: false });
const takes = (schema: Schema, value: unknown) => ajv.validate(forAjv(schema) as object, value);

/** Returns every property within a schema, with its path. */
function propertiesOf(node: unknown, at: string): [string, Schema][] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {} } = node as { properties?: Record<string, Schema> };
  return [
    ...Object.entries(properties).map(([name, schema]): [string, Schema] => [`${at}.${name}`, schema]),
    ...Object.entries(node)
      .filter(([key]) => key !== 'example')
      .flatMap(([key, child]) => propertiesOf(child, key === 'properties' ? at : `${at}.${key}`)),
  ];
}

const ALL: Schema = { TRIGGERS, NODES, FLOW_GLOBALS, CUSTOM_NODE_CONFIG };

it.each(propertiesOf(ALL, ''))('%s has a description and a valid example', (_at, schema) => {
  expect(schema.description).toMatch(/\.$/);
  if (['string', 'number'].includes(schema.type)) expect(schema.example ?? schema.enum).toBeDefined();
  if (schema.example !== undefined) expect(takes(schema, schema.example)).toBe(true);
});

it('the schema lists every trigger type', () => {
  expect((TRIGGERS as Schema).items.properties.type.enum).toEqual(Object.keys(TRIGGER_TYPES));
});

it.each(SAMPLES)(
  '%s conforms to the schemas',
  (_name, _class, { triggers = [], nodes = [], globals = [] }) => {
    expect(takes(TRIGGERS, triggers)).toBe(true);
    expect(takes(NODES, nodes)).toBe(true);
    expect(takes(FLOW_GLOBALS, globals)).toBe(true);
  },
);

it.each<[string, Schema, unknown]>([
  ['a trigger of an unknown type', TRIGGERS, [{ type: 'nothing' }]],
  ['a trigger without a type', TRIGGERS, [{ key: 'a' }]],
  ['a trigger with an id', TRIGGERS, [{ type: 'timer', id: 'a' }]],
  ['a trigger with a key too long', TRIGGERS, [{ type: 'timer', key: 'x'.repeat(1025) }]],
  ['a node without a type', NODES, [{ id: 'a' }]],
  ['a node with a key', NODES, [{ type: 'A', key: 'a' }]],
  ['a configuration that is text', NODES, [{ type: 'A', config: 'a' }]],
  ['one list of outputs', NODES, [{ type: 'A', outputIds: ['a'] }]],
  ['an output id that is too long', NODES, [{ type: 'A', outputIds: [['x'.repeat(49)]] }]],
  ['an empty output id', NODES, [{ type: 'A', outputIds: [['']] }]],
  ['101 outputs', NODES, [{ type: 'A', outputIds: Array.from({ length: 101 }, () => []) }]],
  ['a global with a description', FLOW_GLOBALS, [{ key: 'a', json: '1', description: 'a' }]],
  ['a global whose key has a dot', FLOW_GLOBALS, [{ key: 'a.b', json: '1' }]],
])('%s is rejected', (_name, schema, value) => {
  expect(takes(schema, value)).toBe(false);
});

describe('The schema of custom node configurations', () => {
  const config = (...fields: object[]) => ({ outputCount: 1, resultMode: 'none', fields });

  it('supports seven types of fields', () => {
    expect(takes(CUSTOM_NODE_CONFIG, SAMPLE.customNode.customNodeConfig)).toBe(true);
    const options = [{ value: 'a', label: '' }];
    for (const more of [
      { type: 'checkbox', defaultValue: true },
      { type: 'select', defaultValue: 'a', options },
      { type: 'stringTemplate', validRegExp: '^a' },
      { type: 'numberTemplate', validMin: 1, validMax: 2, defaultValue: 1.5 },
      { type: 'jsonTemplate', defaultValue: '{}', required: true },
      { type: 'payloadPath', required: false },
      { type: 'section' },
    ])
      expect(takes(CUSTOM_NODE_CONFIG, config({ label: 'A', ...more }))).toBe(true);
  });

  it.each([
    {},
    { ...config(), outputCount: 3 },
    { ...config(), resultMode: 'sometimes' },
    config({ type: 'other', label: 'A' }),
    config({ type: 'checkbox' }),
    config({ type: 'checkbox', label: 'A', defaultValue: 'true' }),
    config({ type: 'select', label: 'A', defaultValue: 'a', options: [] }),
    config({ type: 'select', label: 'A', options: [{ value: 'a' }] }),
    config({ type: 'section', label: 'A', required: true }),
    config({ type: 'payloadPath', label: 'A', defaultValue: 'data' }),
    config(...Array.from({ length: 101 }, () => ({ type: 'section', label: 'A' }))),
  ])('rejects %j', (value) => {
    expect(takes(CUSTOM_NODE_CONFIG, value)).toBe(false);
  });
});

it.each<[string, Schema, unknown[], unknown[]]>([
  ['A category', CATEGORY, ['data', 'experience', 'logic', 'output', 'debug', ''], ['other', null, ' ']],
  [
    'Where a custom node runs',
    CUSTOM_NODE_SUPPORTS,
    [[], ['cloud'], ['edge']],
    [['cloud', 'edge'], ['embedded']],
  ],
  [
    'An icon',
    ICON_DATA,
    ['data:image/png;base64,iVBORw0KGgo=', 'data:image/svg+xml;base64,', 'data:image/jpeg;base64,/9j/'],
    ['data:image/gif;base64,AA', 'data:image/png;base64,<b>', 'https://example.com/a.png', ''],
  ],
  [
    'An agent version',
    { type: 'string', pattern: MINIMUM_AGENT_VERSION_PATTERN },
    ['0.0.0', '1.41.0', '10.20.30'],
    ['1.4', '01.0.0', '1.0.0-beta', 'v1.0.0', ''],
  ],
])('%s: accepts valid values and rejects others', (_name, schema, good, bad) => {
  for (const value of good) expect(takes(schema, value)).toBe(true);
  for (const value of bad) expect(takes(schema, value)).toBe(false);
});
