import { Ajv } from 'ajv';
import fc from 'fast-check';
import { ValidationError } from '../../lib/errors/errors.js';
import { forAjv } from '../responses/contract.js';
import { advancedQuerySchema } from './advanced-query-schema.js';
import { compileAdvancedQuery, parseAdvancedQuery, type QueryFields } from './advanced-query.js';

const ID = '575ec8687ae143cd83dc4a97';
const fields: QueryFields = {
  name: { kind: 'string', column: 't.name' },
  status: { kind: 'string', column: 't.status', values: ['active', 'inactive'] },
  id: { kind: 'id', column: 't.id' },
  enabled: { kind: 'boolean', column: 't.enabled' },
  size: { kind: 'number', column: 't.size' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  topics: { kind: 'strings', column: 't.topics' },
  deviceIds: { kind: 'ids', column: 't.device_ids' },
  tags: { kind: 'tags', column: 't.tags' },
  triggers: { kind: 'triggers', column: 't.triggers' },
  nodes: { kind: 'nodes', column: 't.nodes' },
};

function compile(query: unknown, before: unknown[] = []) {
  const values = [...before];
  return { sql: compileAdvancedQuery(query, fields, values), values: values.slice(before.length) };
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    return (error as Error).message;
  }
  throw new Error('It was not refused');
}

function nested(depth: number): unknown {
  return depth === 1 ? { name: 'a' } : { $and: [nested(depth - 1)] };
}

describe('compileAdvancedQuery', () => {
  it.each([
    [{}, 'TRUE', []],
    [{ $and: [] }, 'TRUE', []],
    [{ $or: [] }, 'FALSE', []],
    [{ $nor: [] }, 'FALSE', []],
    [{ name: 'a' }, 't.name = $1::text', ['a']],
    [{ name: null }, 't.name IS NULL', []],
    [{ name: { $ne: null } }, '((t.name IS NULL) IS NOT TRUE)', []],
    [{ name: { $ne: 'a' } }, '((t.name = $1::text) IS NOT TRUE)', ['a']],
    [{ name: { $nin: ['a'] } }, '((t.name = ANY($1::text[])) IS NOT TRUE)', [['a']]],
    [
      { name: { $eq: 'A', $ci: true } },
      'lower((t.name) COLLATE "default") = lower(($1::text) COLLATE "default")',
      ['A'],
    ],
    [{ name: { $eq: 'A', $ci: false } }, 't.name = $1::text', ['A']],
    [{ name: { $startsWith: '50%_\\' } }, "t.name LIKE $1::text ESCAPE '\\'", ['50\\%\\_\\\\%']],
    [{ name: { $gt: 'a', $lt: 'c' } }, '(t.name > $1::text AND t.name < $2::text)', ['a', 'c']],
    [{ name: 'a', enabled: true }, '(t.name = $1::text AND t.enabled = $2::boolean)', ['a', true]],
    [
      { $or: [{ name: 'a' }, { size: { $gte: 2.5 } }] },
      '(t.name = $1::text OR t.size >= $2::numeric)',
      ['a', 2.5],
    ],
    [{ $nor: [{ name: 'a' }] }, '((t.name = $1::text) IS NOT TRUE)', ['a']],
    [{ id: ID.toUpperCase() }, 't.id = $1::text', [ID]],
    [{ topics: 'x' }, 'EXISTS (SELECT FROM unnest(t.topics) AS element WHERE element = $1::text)', ['x']],
    [{ deviceIds: null }, 'coalesce(cardinality(t.device_ids), 0) = 0', []],
    [
      { triggers: { type: 'webhook', key: ID.toUpperCase(), config: { a: 1 } } },
      '(t.triggers @> $1::jsonb OR t.triggers @> $2::jsonb)',
      [
        `[{"type":"webhook","config":{"a":1},"key":"${ID.toUpperCase()}"}]`,
        `[{"type":"webhook","config":{"a":1},"key":"${ID}"}]`,
      ],
    ],
    [
      { nodes: { $ne: { type: 'DebugNode', config: { a: null } } } },
      "(((t.nodes @> $1::jsonb AND EXISTS (SELECT FROM jsonb_array_elements(t.nodes) AS entry WHERE (entry @> ANY($2::jsonb[]) AND entry->'config'->>$3::text IS NULL)))) IS NOT TRUE)",
      ['[{"type":"DebugNode"}]', ['{"type":"DebugNode"}'], 'a'],
    ],
  ])('compiles %j', (query, sql, values) => {
    expect(compile(query)).toEqual({ sql, values });
  });

  it('numbers its parameters after existing ones', () => {
    expect(compile({ name: 'a', size: 1 }, ['x', 'y'])).toEqual({
      sql: '(t.name = $3::text AND t.size = $4::numeric)',
      values: ['a', 1],
    });
  });

  it('never includes values in the SQL text', () => {
    const value = "'; DROP TABLE flows --";
    const queries = [
      { name: value },
      { name: { $in: [value] } },
      { tags: { $tagKey: value, $tagValue: { $nin: [value] } } },
      { topics: { $contains: value } },
      { triggers: { type: value, config: { DROP: value } } },
      { nodes: { type: value, config: { DROP: null } } },
    ];
    for (const query of queries) expect(compile(query).sql).not.toContain('DROP');
  });

  it.each([
    [Date.UTC(2026, 5, 13, 4), '2026-06-13T04:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    ['2026-06-13', '2026-06-13T00:00:00.000Z'],
    ['2026-06-13T04:00', '2026-06-13T04:00:00.000Z'],
    ['2026-06-13T04:00:00.5Z', '2026-06-13T04:00:00.500Z'],
    ['2026-06-13T04:00:00.123456+02:00', '2026-06-13T02:00:00.123Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('parses the date %j', (date, value) => {
    expect(compile({ lastUpdated: { $gt: date } }).values).toEqual([value]);
  });

  it.each<unknown>([
    '2026-02-30',
    '2026-13-01',
    '0000-01-01',
    '2026-06-13T25:00:00Z',
    '13.06.2026',
    '+275760-09-13',
    '2026-06-13T04:00:00.000Z\n',
    'infinity',
    'now',
    '',
    8.64e15,
    -8.64e15,
    1.5,
    true,
    [0],
  ])('rejects the date %j', (date) => {
    expect(refusal(() => compile({ lastUpdated: date }))).toMatch(/^query\.lastUpdated must be a date/);
    expect(refusal(() => compile({ lastUpdated: { $lt: date } }))).toMatch(
      /^query\.lastUpdated\.\$lt must be a date/,
    );
  });

  it.each<[unknown, string]>([
    [null, 'query must be an object'],
    [[], 'query must be an object'],
    ['a', 'query must be an object'],
    [{ foo: 1 }, 'query.foo is not an attribute'],
    [{ $where: '1' }, 'query.$where is not an attribute'],
    [{ constructor: {} }, 'query.constructor is not an attribute'],
    [{ toString: 'a' }, 'query.toString is not an attribute'],
    [JSON.parse('{"__proto__":{"name":"a"}}'), 'query.__proto__ is not an attribute'],
    [{ $or: [{}, { foo: 1 }] }, 'query.$or.1.foo is not an attribute'],
    [{ $or: [{}, { name: 7 }] }, 'query.$or.1.name must be a string'],
    [{ $or: {} }, 'query.$or must be a list'],
    [{ $and: ['a'] }, 'query.$and.0 must be an object'],
    [{ $nor: Array(101).fill({}) }, 'query.$nor must have at most 100 items'],
    [{ $not: { name: 'a' } }, 'query.$not is not an attribute'],
    [{ name: ['a'] }, 'query.name must be a string'],
    [{ name: true }, 'query.name must be a string'],
    [{ name: {} }, 'query.name must have an operator'],
    [{ name: { $ci: true } }, 'query.name must have an operator'],
    [{ name: { $eq: 'a', $ci: 1 } }, 'query.name.$ci must be true or false'],
    [{ name: { $eq: 'a', $ci: null } }, 'query.name.$ci must be true or false'],
    [{ name: { $regex: '.*' } }, 'query.name.$regex is not an operator'],
    [{ name: { constructor: 'a' } }, 'query.name.constructor is not an operator'],
    [{ name: JSON.parse('{"__proto__":"a"}') }, 'query.name.__proto__ is not an operator'],
    [{ name: { $eq: { $eq: 'a' } } }, 'query.name.$eq must be a string'],
    [{ name: { $gt: null } }, 'query.name.$gt must be a string'],
    [{ name: { $startsWith: '' } }, 'query.name.$startsWith must not be empty'],
    [{ name: { $in: 'a' } }, 'query.name.$in must be a list'],
    [{ name: { $in: [null] } }, 'query.name.$in.0 must be a string'],
    [{ name: { $nin: ['a', 1] } }, 'query.name.$nin.1 must be a string'],
    [{ name: { $in: Array(101).fill('a') } }, 'query.name.$in must have at most 100 items'],
    [{ name: 'a\0' }, 'query.name contains a NUL character'],
    [{ name: { $contains: '\ud800' } }, 'query.name.$contains contains text that is not well-formed'],
    [{ tags: { $tagKey: '\0' } }, 'query.tags.$tagKey contains a NUL character'],
    [{ status: 'actve' }, 'query.status must be one of active, inactive'],
    [{ status: { $in: ['active', 'x'] } }, 'query.status.$in.1 must be one of active, inactive'],
    [{ id: 'abc' }, 'query.id must be an ID of 24 hexadecimal digits'],
    [{ id: `${ID}\n` }, 'query.id must be an ID of 24 hexadecimal digits'],
    [{ id: { $gt: ID, $lt: ID } }, 'query.id must have exactly one operator'],
    [{ id: { $startsWith: '57' } }, 'query.id.$startsWith is not an operator'],
    [{ id: { $eq: ID, $ci: true } }, 'query.id.$ci is not an operator'],
    [{ deviceIds: { $in: [ID], $ne: null } }, 'query.deviceIds must have exactly one operator'],
    [{ enabled: 'true' }, 'query.enabled must be true or false'],
    [{ enabled: { $gt: false } }, 'query.enabled.$gt is not an operator'],
    [{ size: '1' }, 'query.size must be a number'],
    [{ size: JSON.parse('1e999') }, 'query.size must be a number'],
    [{ size: { $contains: '1' } }, 'query.size.$contains is not an operator'],
    [{ tags: 'floor' }, 'query.tags must be a tag'],
    [{ tags: [] }, 'query.tags must be a tag'],
    [{ tags: {} }, 'query.tags must have a tag'],
    [{ tags: { $eq: {} } }, 'query.tags.$eq must have a tag'],
    [{ tags: { $eq: null, $ne: null } }, 'query.tags.$eq is not a property of a tag'],
    [{ tags: { $in: [] } }, 'query.tags.$in is not a property of a tag'],
    [{ tags: { $tagKey: 'a', b: 'c' } }, 'query.tags.b is not a property of a tag'],
    [{ tags: { $tagKey: 1 } }, 'query.tags.$tagKey must be a string'],
    [{ tags: { $tagKey: { $eq: 'a' } } }, 'query.tags.$tagKey must be a string, null, '],
    [{ tags: { $tagKey: { $in: ['a'], $nin: ['b'] } } }, 'query.tags.$tagKey must be a string, null, '],
    [{ tags: { 'a b': 'c' } }, 'query.tags.a b is not the key of a tag'],
    [{ tags: { a: 'x'.repeat(256) } }, 'query.tags.a must have at most 255 characters'],
    [{ tags: { a: { $in: [null] } } }, 'query.tags.a.$in.0 must be a string'],
    [{ tags: { a: { $in: Array(101).fill('a') } } }, 'query.tags.a.$in must have at most 100 items'],
    [{ triggers: null }, 'query.triggers must be an object with a type'],
    [{ triggers: 'webhook' }, 'query.triggers must be an object with a type'],
    [{ triggers: [{ type: 'a' }] }, 'query.triggers must be an object with a type'],
    [{ triggers: {} }, 'query.triggers.type must be a string'],
    [{ triggers: { key: 'a' } }, 'query.triggers.type must be a string'],
    [{ triggers: { type: ['a'] } }, 'query.triggers.type must be a string'],
    [{ triggers: { type: 'a'.repeat(256) } }, 'query.triggers.type must be a string of at most 255'],
    [{ triggers: { type: 'a\0' } }, 'query.triggers contains a NUL character'],
    [{ triggers: { type: 'a', key: 'a b' } }, 'query.triggers.key must be 1 to 255 letters'],
    [{ triggers: { type: 'a', key: null } }, 'query.triggers.key must be 1 to 255 letters'],
    [{ triggers: { type: 'a', meta: {} } }, 'query.triggers.meta is not a property of a trigger'],
    [{ triggers: { $in: [{ type: 'a' }] } }, 'query.triggers.$in is not a property of a trigger'],
    [{ triggers: { $eq: { $ne: { type: 'a' } } } }, 'query.triggers.$eq.$ne is not a property of a trigger'],
    [
      { triggers: { $eq: { type: 'a' }, $ne: { type: 'a' } } },
      'query.triggers.$eq is not a property of a trigger',
    ],
    [{ nodes: { type: 'a', key: 'a' } }, 'query.nodes.key is not a property of a node'],
    [{ nodes: { type: 'a', config: null } }, 'query.nodes.config must be an object'],
    [{ nodes: { type: 'a', config: { 'a.b': 1 } } }, 'query.nodes.config.a.b is not a valid name'],
    [{ nodes: { type: 'a', config: { a: [] } } }, 'query.nodes.config.a must be a string, a number'],
    [
      { nodes: { type: 'a', config: { a: JSON.parse('1e999') } } },
      'query.nodes contains a number that is too large',
    ],
    [
      { nodes: { type: 'a', config: { a: 'x'.repeat(1025) } } },
      'query.nodes.config.a must have at most 1024',
    ],
    [JSON.parse('{"nodes":{"type":"a","config":{"__proto__":1}}}'), '__proto__ is not a property'],
    [{ nodes: { type: 'a', config: { constructor: 1 } } }, 'constructor is not a property'],
  ])('rejects %j', (query, message) => {
    expect(refusal(() => compile(query))).toContain(message);
  });

  it('limits the length of messages', () => {
    expect(refusal(() => compile({ ['x'.repeat(20_000)]: 1 })).length).toBeLessThan(200);
  });

  it('allows at most 8 levels', () => {
    expect(compile(nested(8)).sql).toBe('t.name = $1::text');
    expect(refusal(() => compile(nested(9)))).toMatch(/ is nested more than 8 levels deep$/);
  });

  it('allows at most 500 conditions', () => {
    const wide = (lists: number) => ({
      $and: Array.from({ length: lists }, () => ({ $or: Array(99).fill({ name: 'a' }) })),
    });
    expect(compile({ $or: [wide(4)] }).values).toHaveLength(396);
    expect(refusal(() => compile(wide(6)))).toBe('query must have at most 500 conditions');
  });
});

describe('parseAdvancedQuery', () => {
  it('parses JSON', () => {
    expect(parseAdvancedQuery('{"$or":[{"name":"a"}]}')).toEqual({ $or: [{ name: 'a' }] });
  });

  it('accepts the deepest valid query', () => {
    const deepest = { tags: { $ne: { a: { $in: ['x'] } } } };
    const query = [1, 2, 3, 4, 5, 6, 7].reduce<unknown>((inner) => ({ $and: [inner] }), deepest);
    expect(compile(parseAdvancedQuery(JSON.stringify(query))).values).toEqual(['a', ['x']]);
  });

  it.each([
    ['', 'query must be valid JSON'],
    ['{name:1}', 'query must be valid JSON'],
    ['[]', 'query must be a JSON object'],
    ['null', 'query must be a JSON object'],
    ['"a"', 'query must be a JSON object'],
    [`{"name":"${'é'.repeat(16_384)}"}`, 'query must have at most 32768 bytes'],
    [`{"$and":${'['.repeat(16_000)}${']'.repeat(16_000)}}`, 'query is nested more than 8 levels deep'],
    [`${'{"$and":['.repeat(2900)}{}${']}'.repeat(2900)}`, 'query is nested more than 8 levels deep'],
  ])('rejects %.20s', (text, message) => {
    expect(refusal(() => parseAdvancedQuery(text))).toBe(message);
  });
});

describe('advancedQuerySchema', () => {
  const schema = advancedQuerySchema(fields, 'AdvancedThingQuery');
  const validate = new Ajv({ strict: false }).compile({
    $id: 'document',
    components: { schemas: { AdvancedThingQuery: forAjv(schema) } },
    $ref: '#/components/schemas/AdvancedThingQuery',
  });

  it('is valid in the dialect of OpenAPI 3.0', () => {
    expect(schema.title).toBe('AdvancedThingQuery');
    expect(JSON.stringify(schema)).not.toMatch(
      /patternProperties|propertyNames|"type":\[|"type":"null"|"const"/,
    );
  });

  it('contains every attribute', () => {
    expect(Object.keys(schema.properties as object)).toEqual(['$and', '$or', '$nor', ...Object.keys(fields)]);
  });

  it.each<unknown>([
    { foo: 1 },
    { name: 7 },
    { name: { $regex: '' } },
    { name: {} },
    { enabled: { $gt: true } },
    { status: 'actve' },
    { id: { $gt: ID, $lt: ID } },
    { $or: Array(101).fill({}) },
    { $and: [{ $nor: [{ name: { $in: [null] } }] }] },
    { tags: { $tagKey: 7 } },
    { tags: {} },
    { triggers: {} },
    { triggers: { type: 'a', key: 'a b' } },
    { triggers: { $eq: { type: 'a' }, $ne: { type: 'a' } } },
    { nodes: { type: 'a', key: 'a' } },
    { nodes: { type: 'a', config: { a: [] } } },
  ])('rejects %j', (query) => {
    expect(validate(query)).toBe(false);
  });

  it('accepts every query that the compiler accepts', () => {
    const text = fc.constantFrom('a', 'active', '2026-06-13', ID, '');
    const literal = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer(), fc.double());
    const names = (...operators: string[]) => fc.constantFrom(...operators);
    const part = fc.oneof(
      text,
      fc.constant(null),
      fc.dictionary(names('$in', '$nin'), fc.array(text, { maxLength: 2 }), { maxKeys: 1 }),
    );
    const tag = fc.oneof(
      fc.constant(null),
      fc.dictionary(names('$tagKey', '$tagValue'), part),
      fc.dictionary(names('a', 'b'), part),
    );
    const entry = fc.dictionary(
      names('type', 'key', 'config'),
      fc.oneof(text, fc.dictionary(names('a', 'b'), literal, { maxKeys: 2 })),
    );
    const entries = fc.oneof(entry, fc.dictionary(names('$eq', '$ne'), entry, { maxKeys: 1 }));
    const operators = fc.dictionary(
      names(
        '$eq',
        '$ne',
        '$gt',
        '$gte',
        '$lt',
        '$lte',
        '$in',
        '$nin',
        '$startsWith',
        '$contains',
        '$ci',
        '$tagKey',
      ),
      fc.oneof(literal, fc.array(literal, { maxLength: 2 }), tag),
      { maxKeys: 2 },
    );
    const attribute = fc.constantFrom(...Object.keys(fields), 'foo');
    const { query } = fc.letrec((tie) => ({
      query: fc.oneof(
        { maxDepth: 3 },
        fc.dictionary(attribute, fc.oneof(literal, operators, tag, entries), { maxKeys: 2 }),
        fc.dictionary(names('$and', '$or', '$nor'), fc.array(tie('query'), { maxLength: 3 }), { maxKeys: 2 }),
      ),
    }));
    let taken = 0;
    fc.assert(
      fc.property(query, (candidate) => {
        try {
          compile(candidate);
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
          return;
        }
        taken++;
        expect(validate(candidate)).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
