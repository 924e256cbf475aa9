import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { describeFault, describeFaults } from './schema-faults.js';

const ajv = new Ajv({ strict: false });
(addFormatsModule as unknown as (ajv: Ajv) => void)(ajv);

const text = (rule: object) => ({ properties: { name: { type: 'string', ...rule } } });

describe('Fault messages', () => {
  it.each<[string, object, unknown, string]>([
    ['a missing property', { required: ['name'] }, {}, 'thing.name is required'],
    [
      'an unknown property',
      { properties: {}, additionalProperties: false },
      { color: 1 },
      'thing.color is not a property of thing',
    ],
    ['a wrong type', text({}), { name: 1 }, 'thing.name must be a string'],
    ['a type that begins with a vowel', { type: 'object' }, [], 'thing must be an object'],
    ['a missing body', { type: 'object' }, undefined, 'thing must be an object'],
    ['a value of no choice', text({ enum: ['a', 'b'] }), { name: 'c' }, 'thing.name must be one of a, b'],
    [
      'a value of no choice of many',
      text({ enum: [...'abcdefghijklmnop'] }),
      { name: 'z' },
      'thing.name must be one of a, b, c, d, e, f, g, h, i, j, k, l, … (the document lists all)',
    ],
    ['text too short', text({ minLength: 2 }), { name: 'a' }, 'thing.name must have at least 2 characters'],
    ['text too long', text({ maxLength: 2 }), { name: 'abc' }, 'thing.name must have at most 2 characters'],
    ['another pattern', text({ pattern: '^a$' }), { name: 'b' }, 'thing.name must match the pattern ^a$'],
    [
      'no time',
      text({ format: 'date-time' }),
      { name: 'today' },
      'thing.name must be an ISO 8601 time with a zone, such as 2026-06-13T04:00:00.000Z',
    ],
    ['no address', text({ format: 'email' }), { name: 'ada' }, 'thing.name must be an email address'],
    ['no URI', text({ format: 'uri' }), { name: 'x' }, 'thing.name must be a URI'],
    ['another format', text({ format: 'ipv4' }), { name: 'x' }, 'thing.name must be of the format ipv4'],
    ['a number too small', { properties: { n: { minimum: 3 } } }, { n: 2 }, 'thing.n must be >= 3'],
    ['a number too large', { properties: { n: { maximum: 3 } } }, { n: 4 }, 'thing.n must be <= 3'],
    ['too many entries', { type: 'array', maxItems: 1 }, [1, 2], 'thing must have at most 1 entries'],
    ['too few entries', { type: 'array', minItems: 1 }, [], 'thing must have at least 1 entries'],
    [
      'the same entry twice',
      { type: 'array', uniqueItems: true },
      [1, 1],
      'thing must not contain duplicate entries',
    ],
    [
      'something deep inside',
      { properties: { list: { items: { required: ['key'] } } } },
      { list: [{ key: 1 }, {}] },
      'thing.list.1.key is required',
    ],
    [
      'a name with slashes and tildes',
      { additionalProperties: { type: 'string' } },
      { 'a/b~c': 1 },
      'thing.a/b~c must be a string',
    ],
  ])('describe %s', (_, schema, value, sentence) => {
    const validate = ajv.compile(schema);
    expect(validate(value)).toBe(false);
    expect(describeFault('thing', validate.errors![0]!)).toBe(sentence);
  });

  it('report that no alternative matches', () => {
    const validate = ajv.compile({ properties: { at: { oneOf: [{ type: 'string' }, { type: 'null' }] } } });
    validate({ at: 1 });
    expect(describeFault('thing', validate.errors!.at(-1)!)).toBe(
      'thing.at does not match any of the allowed forms',
    );
  });

  const CHOICE = { oneOf: [{ type: 'number' }, { type: 'string', maxLength: 3 }, { type: 'boolean' }] };
  const state = {
    type: 'object',
    properties: { data: { additionalProperties: CHOICE } },
    required: ['data'],
  };
  it.each<[string, object, unknown, string]>([
    ['all its types', CHOICE, {}, 'thing must be a number, a string or a boolean'],
    ['the rule of the type that it has', CHOICE, 'four', 'thing must have at most 3 characters'],
    [
      'all forms',
      { oneOf: [state, { type: 'array', items: state }] },
      1,
      'thing must be an object or an array',
    ],
    [
      'what is wrong in the form that it has',
      { oneOf: [state, { type: 'array', items: state }] },
      [{ data: { flow: null } }],
      'thing.0.data.flow must be a number, a string or a boolean',
    ],
    ['no null', { anyOf: [{ type: 'null' }, { type: 'string' }] }, 1, 'thing must be a string'],
    ['what a choice of objects lacks', { oneOf: [state, { type: 'null' }] }, {}, 'thing.data is required'],
  ])('describe alternatives by %s', (_, schema, value, sentence) => {
    const validate = ajv.compile(schema);
    expect(validate(value)).toBe(false);
    expect(describeFaults('thing', validate.errors!)).toBe(sentence);
  });

  it('truncate long names given by the caller', () => {
    const validate = ajv.compile({ properties: {}, additionalProperties: false });
    validate({ ['x'.repeat(5000)]: 1 });
    expect(describeFault('thing', validate.errors![0]!).length).toBeLessThan(200);
  });
});
