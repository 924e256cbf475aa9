import { parseQuery } from '../server/http.js';
import {
  listQuery,
  QueryBoolean,
  QueryChoice,
  QueryId,
  QueryJson,
  QueryPipe,
  QueryText,
  QueryTime,
  SummaryQuery,
} from './query-fields.js';

const description = 'A test parameter.';

class ThingsQuery extends listQuery({
  sort: ['name', 'id'],
  defaultSort: 'name',
  defaultDirection: 'desc',
  perPage: 25,
  filter: ['name', 'color'],
}) {
  @QueryText({ description, maxLength: 5 }) note?: string;
  @QueryText({ description, required: true }) email: string;
  @QueryBoolean({ description, default: true }) deep: boolean;
  @QueryId({ description }) deviceId?: string;
  @QueryId({ description, blank: true }) ownerId?: string;
}

class EventsQuery {
  @QueryTime({ description, example: 0 }) start?: Date;
  @QueryJson(
    { title: 'Where', type: 'object', additionalProperties: { type: 'string' } },
    { description, example: {} },
  )
  where?: object;
  @QueryJson({ title: 'Parts', type: 'array', maxItems: 1 }, { description, example: [] })
  parts?: unknown[];
  @QueryJson(
    {
      title: 'Which',
      type: 'object',
      additionalProperties: false,
      properties: {
        codes: { type: 'array', items: { type: 'integer', maximum: 599 } },
        name: { type: 'string' },
      },
    },
    { description, example: { codes: [200] } },
  )
  which?: object;
  @QueryJson(
    {
      title: 'Kinds',
      oneOf: [
        { type: 'string', enum: ['a', 'b'] },
        { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      ],
    },
    { description, example: ['a'] },
  )
  kinds?: string | string[];
}

class ClassesQuery {
  @QueryChoice(['a', 'b'], { description, default: 'b' }) kind: string;
}

class MoreThingsQuery extends ThingsQuery {
  @QueryText({ description }) more?: string;
}

const ID = '575EC8687ae143cd83dc4a97';
const pipe = new QueryPipe();
const read = <T>(metatype: new () => T, query: unknown): T =>
  pipe.transform(query, { type: 'query', metatype }) as T;
const things = (query: object) => read(ThingsQuery, { email: 'a@b.c', ...query });

describe('The query of a request', () => {
  it('gets its defaults if nothing is given', () => {
    const query = things({});
    expect(query).toEqual({
      list: { sortField: 'name', sortDirection: 'desc', page: 0, perPage: 25 },
      email: 'a@b.c',
      deep: true,
    });
  });

  it('treats blank values as absent', () => {
    const blank = { sortField: '', sortDirection: '', page: '', perPage: '', filter: '', filterField: '' };
    expect(things({ ...blank, note: '', deep: '', deviceId: '' })).toEqual(things({}));
  });

  it('keeps a blank ID if blank has a meaning other than absent', () => {
    expect(things({ ownerId: '' }).ownerId).toBe('');
    expect(things({}).ownerId).toBeUndefined();
  });

  it('parses each kind of parameter', () => {
    expect(
      things({
        sortField: 'id',
        sortDirection: 'ASC',
        page: '2',
        perPage: '1000',
        filter: 'a*',
        note: 'x',
        deep: '0',
        deviceId: ID,
        ownerId: ID,
      }),
    ).toMatchObject({
      list: {
        sortField: 'id',
        sortDirection: 'asc',
        page: 2,
        perPage: 1000,
        filterField: 'name',
        filter: 'a*',
      },
      note: 'x',
      deep: false,
      deviceId: ID.toLowerCase(),
      ownerId: ID.toLowerCase(),
    });
  });

  it.each<[object, string]>([
    [{ sortField: 'password' }, 'sortField must be one of name, id'],
    [{ page: '-1' }, 'page must be an integer'],
    [{ perPage: '0' }, 'perPage must be an integer from 1 to 1000'],
    [{ filterField: 'size', filter: 'x' }, 'filterField must be one of name, color'],
    [{ note: '123456' }, 'note must have at most 5 characters'],
    [{ note: ['a', 'b'] }, 'note must be a single string'],
    [{ note: { $ne: 'x' } }, 'note must be a single string'],
    [{ note: 'a\0' }, 'note contains a NUL character'],
    [{ note: '\ud800' }, 'note contains text that is not well-formed'],
    [{ email: '' }, 'email is required'],
    [{ email: undefined }, 'email is required'],
    [{ deep: 'yes' }, 'deep must be true, false, 1 or 0'],
    [{ deviceId: 'x' }, 'deviceId must be 24 hexadecimal digits'],
    [{ deviceId: [ID, ID] }, 'deviceId must be a single string'],
    [{ ownerId: 'null' }, 'ownerId must be 24 hexadecimal digits'],
  ])('rejects %j', (query, message) => {
    expect(() => things(query)).toThrow(message);
  });

  it('parses times and JSON', () => {
    expect(read(EventsQuery, {})).toEqual({});
    expect(read(EventsQuery, { start: '', where: '' })).toEqual({});
    expect(read(EventsQuery, { start: '0', where: '{"a":"b"}' })).toEqual({
      start: new Date(0),
      where: { a: 'b' },
    });
    expect(read(EventsQuery, { parts: '[1]' })).toEqual(read(EventsQuery, { parts: [1] }));
    expect(read(ClassesQuery, { kind: '' })).toEqual({ kind: 'b' });
    expect(read(ClassesQuery, { kind: 'a' })).toEqual({ kind: 'a' });
    expect(read(EventsQuery, { start: '253402300799999' }).start).toEqual(
      new Date('9999-12-31T23:59:59.999Z'),
    );
  });

  it.each<[string, unknown]>([
    ['which[codes][0]=200&which[codes][1]=404&which[name]=7', { codes: [200, 404], name: '7' }],
    ['which={"codes":[200,404],"name":"7"}', { codes: [200, 404], name: '7' }],
    ['which[codes][]=200', { codes: [200] }],
    ['which[name]=', { name: '' }],
  ])('parses %s', (text, which) => {
    expect(read(EventsQuery, parseQuery(text)).which).toEqual(which);
  });

  it.each<[string, unknown]>([
    ['kinds=a', 'a'],
    ['kinds="a"', 'a'],
    ['kinds=["a","b"]', ['a', 'b']],
    ['kinds[0]=a&kinds[1]=b', ['a', 'b']],
    ['kinds=a&kinds=b', ['a', 'b']],
  ])('parses %s', (text, kinds) => {
    expect(read(EventsQuery, parseQuery(text)).kinds).toEqual(kinds);
  });

  it.each<[object, string]>([
    [{ start: '-1' }, 'start must be an integer'],
    [{ start: '1.5' }, 'start must be an integer'],
    [{ start: '253402300800000' }, 'start must be an integer'],
    [{ start: ['1', '2'] }, 'start must be a single string'],
    [{ parts: ['a', 'b'] }, 'parts must have at most 1 entries'],
    [{ parts: { 0: 'a' } }, 'parts must be an array'],
    [{ parts: ['a\0'] }, 'parts contains a NUL character'],
    [{ where: '{' }, 'where must be valid JSON'],
    [{ where: '[]' }, 'where must be an object'],
    [{ where: '{"a":1}' }, 'where.a must be a string'],
    [{ where: '{"a":"\\u0000"}' }, 'where contains a NUL character'],
    [{ where: '{"a":"\\ud800"}' }, 'where contains text that is not well-formed'],
    [{ where: ['{}', '{}'] }, 'where must be an object'],
    [{ which: '{"codes":["200"]}' }, 'which.codes.0 must be an integer'],
    [{ which: { codes: ['x'] } }, 'which.codes.0 must be an integer'],
    [{ which: { codes: ['Infinity'] } }, 'which.codes.0 must be <= 599'],
    [{ which: { codes: ['600'] } }, 'which.codes.0 must be <= 599'],
    [{ which: { colour: 'red' } }, 'which.colour is not a property of which'],
    [{ kinds: 'c' }, 'kinds must be valid JSON'],
    [{ kinds: ['c'] }, 'kinds'],
    [{ where: JSON.stringify({ a: 'ü'.repeat(16_384) }) }, 'where must have at most 32768 bytes'],
    [{ where: '['.repeat(32_000) }, 'where must be valid JSON'],
    [{ where: '['.repeat(16_000) + ']'.repeat(16_000) }, 'where must be an object'],
  ])('rejects %j', (query, message) => {
    expect(() => read(EventsQuery, query)).toThrow(message);
  });

  it('ignores undeclared parameters', () => {
    expect(things({ _embedded: 'x', list: 'x', constructor: 'x' })).toEqual(things({}));
  });

  it('reads own properties only, not inherited ones', () => {
    class OddQuery {
      @QueryText({ description }) toString2?: string;
    }
    const inherited = Object.create({ toString2: 'x' }) as object;
    expect(read(OddQuery, inherited).toString2).toBeUndefined();
  });

  it('does not add parameters of a subclass to its base class', () => {
    expect(read(MoreThingsQuery, { email: 'e', more: 'x', note: 'n' })).toMatchObject({
      more: 'x',
      note: 'n',
    });
    expect(things({ more: 'x' })).not.toHaveProperty('more');
  });

  it('may be missing altogether', () => {
    expect(read(SummaryQuery, undefined)).toEqual({});
  });

  it('is the only argument that the pipe transforms', () => {
    const body = { page: 'x' };
    expect(pipe.transform(body, { type: 'body', metatype: ThingsQuery })).toBe(body);
    expect(pipe.transform('x', { type: 'param', metatype: String })).toBe('x');
    expect(pipe.transform(body, { type: 'query', metatype: Object })).toBe(body);
  });
});
