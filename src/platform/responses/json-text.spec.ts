import fc from 'fast-check';
import { compileTextCopier } from './json-text.js';
import { compileCopier } from './serialize.js';
import { shapeOf, type ClosedShape } from './shape.js';

const text = { type: 'string' };
const Inner = {
  type: 'object',
  properties: { name: text, flag: { type: 'boolean', nullable: true }, secret: { writeOnly: true } },
};
const schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      key: text,
      $eq: { type: 'number' },
      free: { type: 'object' },
      inner: Inner,
      lists: { type: 'array', items: { type: 'array', items: Inner } },
      either: { oneOf: [Inner, { type: 'object', properties: { other: text } }] },
      named: { type: 'object', properties: { own: text }, additionalProperties: Inner },
    },
  },
};

const textCopierOf = (of: object) => compileTextCopier(shapeOf(of as never, {}) as ClosedShape);
const copy = textCopierOf(schema);
const copyValue = compileCopier(schema, {});

/** Formats JSON like `jsonb`. */
const printed = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(printed).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([name, member]) => `${JSON.stringify(name)}: ${printed(member)}`)
          .join(', ')}}`
      : JSON.stringify(value);

/** Generates JSON with members of the schema in valid and invalid places, and other members. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(null, true, 0, -1.5e-7, 'a', '"]}\\', ', "x": {', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(...Object.keys(schema.items.properties), 'name', 'flag', 'secret', 'own', 'x"y'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

describe('A copier of JSON text', () => {
  it('returns the same as a copier of values, regardless of the formatting of the text', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 3 }), (value) => {
        for (const print of [JSON.stringify, printed])
          expect(JSON.parse(copy(print(value)))).toEqual(JSON.parse(JSON.stringify(copyValue(value))));
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, unknown]>([
    ['an empty list', []],
    [
      'all members',
      [{ key: 'a', $eq: 1.5, free: { any: [{ thing: null }] }, inner: { name: '"', flag: null } }],
    ],
    ['lists in lists', [{ lists: [[{ name: 'a' }], []] }]],
    ['any alternative', [{ either: { name: 'a' } }, { either: { other: 'b' } }]],
    ['names of the data', [{ named: { own: 'a', b: { name: 'c' } } }]],
  ])('leaves %s unchanged', (_what, value) => {
    for (const print of [JSON.stringify, printed]) expect(copy(print(value))).toBe(print(value));
  });

  it.each<[string, string, unknown]>([
    ['an undocumented member', '[{"key": "a", "x": {"y": 1}}]', [{ key: 'a' }]],
    ['a member whose name is written with escapes', '[{"\\u006bey": "a", "\\u0078": 1}]', [{ key: 'a' }]],
    [
      'a member that no answer shows',
      '[{"inner": {"secret": "a", "name": "b"}}]',
      [{ inner: { name: 'b' } }],
    ],
    ['null where it may not stand', '[{"key": null, "inner": {"flag": null}}]', [{ inner: { flag: null } }]],
    ['a list in the place of an object', '[[{"key": "a"}], {"inner": []}]', [{}]],
    ['an object in the place of a list', '[{"lists": {"key": "a"}}]', [{}]],
    [
      'a known name in the shape of others',
      '[{"named": {"own": {"name": "a"}}}]',
      [{ named: { own: { name: 'a' } } }],
    ],
  ])('omits %s', (_what, given, shown) => {
    expect(JSON.parse(copy(given))).toEqual(shown);
  });

  it('returns null if the value has another type than the schema', () => {
    expect(copy('{"key": "a"}')).toBe('null');
  });

  it('handles long and deeply nested texts, whether documented or not', () => {
    const deep = (inner: unknown) =>
      Array.from({ length: 60 }).reduce((below: unknown) => ({ a: below }), inner);
    const long = [{ key: '\\"'.repeat(40_000), free: { a: deep(1) } }];
    expect(JSON.parse(copy(printed(long)))).toEqual(long);
    const many = Array.from({ length: 1_000 }, (_, i) => ({ key: `"${i}\\`, inner: { name: 'a' } }));
    expect(copy(printed(many)) === printed(many)).toBe(true);
    expect(JSON.parse(copy(printed([...many, { x: 1 }])))).toEqual([...many, {}]);
  });
});

describe('A shape', () => {
  it.each([
    [{ type: 'string' }],
    [{ type: 'object' }],
    [{ type: 'object', additionalProperties: true }],
    [{ type: 'object', properties: { a: text }, additionalProperties: true }],
    [{ type: 'array', items: { type: 'string' } }],
    [{ anyOf: [{ type: 'object' }, { type: 'object', properties: { a: text } }] }],
  ])('is "all" for %j', (of) => {
    expect(shapeOf(of as never, {})).toBe('all');
  });

  it('includes the contents of wrappers that declare the type object', () => {
    const wrapper = { type: 'object', allOf: [{ type: 'object', properties: { a: text } }], nullable: true };
    expect(JSON.parse(textCopierOf(wrapper)('{"a": "b", "c": 1}'))).toEqual({ a: 'b' });
  });
});
