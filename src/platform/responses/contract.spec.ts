import type { OpenAPIObject } from '@nestjs/swagger';
import { Contract } from './contract.js';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const post = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 5 },
    note: { type: 'string', nullable: true, maxLength: 3 },
    place: { allOf: [{ $ref: '#/components/schemas/Place' }], nullable: true },
    at: { type: 'string', format: 'date-time' },
    tree: { $ref: '#/components/schemas/Tree' },
  },
};
const document = {
  openapi: '3.0.3',
  paths: {
    '/things': {
      post: {
        operationId: 'things_post',
        requestBody: json({ $ref: '#/components/schemas/ThingPost' }),
        responses: { 201: json({ $ref: '#/components/schemas/Thing' }), 204: {} },
      },
    },
  },
  components: {
    schemas: {
      ThingPost: post,
      Thing: { type: 'object', properties: { name: { type: 'string' } } },
      Tree: { type: 'object', properties: { left: { $ref: '#/components/schemas/Tree' } } },
      Place: { type: 'object', additionalProperties: false, properties: { city: { type: 'string' } } },
    },
  },
} as unknown as OpenAPIObject;

describe('The contract', () => {
  const contract = new Contract(document);
  const check = (body: unknown) => () => contract.checkBody('things.post', 'thing', body);

  it('accepts values that match the document', () => {
    expect(check({ name: 'a', note: null, place: { city: 'Bern' } })).not.toThrow();
    expect(check({ name: 'a', note: 'abc', place: null })).not.toThrow();
    expect(check({ name: 'a', at: '2026-06-13T04:00:00Z' })).not.toThrow();
    expect(check({ name: 'a', at: '2026-06-13T04:00:00.123+02:00' })).not.toThrow();
  });

  it.each<[unknown, string]>([
    [undefined, 'thing must be an object'],
    [null, 'thing must be an object'],
    [[], 'thing must be an object'],
    [{}, 'thing.name is required'],
    [{ name: '123456' }, 'thing.name must have at most 5 characters'],
    [{ name: 'a', other: 1 }, 'thing.other is not a property of thing'],
    [{ name: 1 }, 'thing.name must be a string'],
    [{ name: 'a', place: { city: 1 } }, 'thing.place.city must be a string'],
    [{ name: 'a', tree: { left: { left: 1 } } }, 'thing.tree.left.left must be an object'],
  ])('rejects %j', (body, sentence) => {
    expect(check(body)).toThrow(sentence);
  });

  it('does not modify a body: no defaults, no conversions', () => {
    const body = { name: 'a' };
    check(body)();
    expect(body).toEqual({ name: 'a' });
  });

  it('reports the violated rule for invalid nullable values', () => {
    expect(check({ name: 'a', note: 5 })).toThrow('thing.note must be a string');
    expect(check({ name: 'a', note: 'abcd' })).toThrow('thing.note must have at most 3 characters');
    expect(check({ name: 'a', place: { town: 'Bern' } })).toThrow(
      'thing.place.town is not a property of thing.place',
    );
  });

  it.each([
    '9999-12-31T23:59:59-12:00',
    '0001-01-01T00:00:00+12:00',
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-06-13',
    'today',
  ])('rejects the time %s, which cannot be returned unchanged', (at) => {
    expect(check({ name: 'a', at })).toThrow('thing.at must be an ISO 8601 time');
  });

  it('returns only documented properties for the status', () => {
    expect(contract.copy('things.post', 201, { name: 'a', secret: 'b' }, () => false)).toEqual({ name: 'a' });
    expect(contract.copy('things.post', 204, { name: 'a' }, () => false)).toBeUndefined();
    expect(contract.declares('things.post', 201)).toBe(true);
    expect(contract.declares('things.post', 200)).toBe(false);
  });
});
