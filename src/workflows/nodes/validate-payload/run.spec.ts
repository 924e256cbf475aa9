import { runNode } from '../../../../test/doubles/run-node.js';
import { validatePayloadNode } from './index.js';

const validate = async (schema: unknown, data: unknown) => {
  const config = { schemaType: 'path', schema: 'schema', toValidatePath: 'data', errorsPath: 'working.e' };
  const { output, payload } = await runNode(validatePayloadNode, config, { schema, data });
  return { output, errors: (payload as any).working.e };
};
const fault = (field: string, message: string) => ({ output: 0, errors: [{ field, message }] });
const VALID = { output: 1, errors: [] };
const VOLTAGE = {
  type: 'object',
  properties: { voltage: { type: 'number', minimum: 0, maximum: 5 } },
  required: ['voltage'],
};

describe('ValidatePayloadNode', () => {
  it('takes a schema as a JSON template, and validates the whole payload without a path', async () => {
    const schema = '{"type":"object","required":["{{data.name}}"]}';
    const config = { schema, errorsPath: 'e' };
    expect(await runNode(validatePayloadNode, config, { data: { name: 'data' } })).toMatchObject({
      output: 1,
    });
    expect(await runNode(validatePayloadNode, config, { data: { name: 'x' } })).toMatchObject({
      output: 0,
      payload: { e: [{ field: 'data.x', message: 'is required' }] },
    });
  });

  it.each<[unknown, unknown, object]>([
    [VOLTAGE, { voltage: 1.7 }, VALID],
    [VOLTAGE, { voltage: 'not a number' }, fault('data.voltage', 'is the wrong type')],
    [VOLTAGE, {}, fault('data.voltage', 'is required')],
    [VOLTAGE, { voltage: 6 }, fault('data.voltage', 'is more than maximum')],
    [{ minimum: 5, exclusiveMinimum: true }, 5, fault('data', 'is less than minimum')],
    [{ items: { minLength: 2 } }, ['ab', 'c'], fault('data.1', 'has less length than allowed')],
    [{ properties: { 'a/b': { enum: [1] } } }, { 'a/b': 2 }, fault('data.a/b', 'must be an enum value')],
    [{ pattern: '^[a-z]+$' }, 'A', fault('data', 'pattern mismatch')],
    [{ patternProperties: { '^x': { type: 'null' } } }, { xy: 1 }, fault('data.xy', 'is the wrong type')],
    [{ format: 'date-time' }, 'today', fault('data', 'must be date-time format')],
    [{ format: 'unknown' }, 'x', VALID],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      fault('data', 'must be unique'),
    ],
    [{ uniqueItems: true }, [1, '1', [1]], VALID],
    [{ enum: [{ id: 'a', $ref: 'b' }] }, { id: 'a', $ref: 'b' }, VALID],
    [{ $schema: 'http://json-schema.org/draft-04/schema#', id: 'http://x/' }, 5, VALID],
    [
      { definitions: { a: { type: 'null' } }, $ref: '#/definitions/a' },
      5,
      fault('data', 'is the wrong type'),
    ],
    [{ additionalProperties: { $ref: '#' }, type: 'object' }, { a: { b: {} } }, VALID],
  ])('validates by %j the value %j', async (schema, data, expected) => {
    expect(await validate(schema, data)).toEqual(expected);
    expect(await validate(schema, data)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['no schema', 5],
    ['a schema with an unknown type', { type: 'text' }],
    ['a schema with an invalid pattern', { pattern: '(' }],
    ['references to other documents', { properties: { a: { $ref: 'http://x/y' } } }],
    ['a reference to nothing', { $ref: '#/definitions/none' }],
    ['a schema that refers to itself endlessly', { $ref: '#' }],
    ['a large schema', { enum: ['x'.repeat(65_536)] }],
  ])('fails the run for %s', async (_title, schema) => {
    await expect(validate(schema, {})).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('fails the run for schemas that would take years', async () => {
    const levels = Array.from({ length: 60 }, (_, i) => {
      const next = { $ref: `#/definitions/l${i + 1}` };
      return [`l${i}`, { allOf: [next, next] }];
    });
    const definitions = { ...Object.fromEntries(levels), l60: { type: 'object' } };
    await expect(validate({ definitions, $ref: '#/definitions/l0' }, {})).rejects.toMatchObject({
      message: 'schema takes too many steps',
    });
    const items = Array.from({ length: 1000 }, () => 'a'.repeat(1000));
    await expect(validate({ items: { pattern: '^(a*)*b' } }, items)).rejects.toMatchObject({
      message: 'schema takes too many steps',
    });
    expect(await validate(VOLTAGE, { voltage: 1 })).toEqual(VALID);
  });
});
