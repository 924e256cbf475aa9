import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleId } from '../platform/fields/example-id.js';
import { ID_EXAMPLE, TIME_EXAMPLE } from '../platform/fields/fields.js';
import { sampleOf } from './examples.js';
import { nameValues } from './example-values.js';

const text = (example: string) => ({ type: 'string', example });

describe('sampleOf', () => {
  const schemas = {
    Part: {
      type: 'object',
      properties: { name: text('Valve'), above: { $ref: '#/components/schemas/Part' } },
    },
  };
  it.each<[string, Record<string, unknown>, unknown]>([
    ['the example of a schema', { ...text('a'), enum: ['b'] }, 'a'],
    ['the first choice', { type: 'string', enum: ['b', 'c'] }, 'b'],
    ['one item of an array', { type: 'array', items: text('a') }, ['a']],
    ['the first alternative', { oneOf: [text('a'), { type: 'number', example: 1 }] }, 'a'],
    [
      'the properties of a reference, without endless repetition',
      { $ref: '#/components/schemas/Part' },
      { name: 'Valve' },
    ],
    [
      'no secrets, and nothing that is left out',
      {
        type: 'object',
        properties: {
          a: text('a'),
          b: { ...text('b'), writeOnly: true },
          c: { ...text('c'), 'x-unsampled': true },
        },
      },
      { a: 'a' },
    ],
    [
      'only what a list always has',
      {
        type: 'object',
        required: ['items', 'count'],
        properties: {
          items: { type: 'array', items: text('a') },
          count: { type: 'integer', example: 1 },
          filter: text('a*'),
        },
      },
      { items: ['a'], count: 1 },
    ],
  ])('returns %s', (_what, schema, sample) => {
    expect(sampleOf(schema, schemas)).toEqual(sample);
  });
});

describe('nameValues', () => {
  const id = () => text(ID_EXAMPLE);

  /** Returns the properties of a schema after their values were named. */
  function namedProperties(name: string, properties: Record<string, unknown>) {
    const document = { paths: {}, components: { schemas: { [name]: { type: 'object', properties } } } };
    nameValues(document as unknown as OpenAPIObject);
    return Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => [key, (schema as { example: unknown }).example]),
    );
  }

  it('gives each ID that of the resource that its property names', () => {
    expect(
      namedProperties('Pump', {
        id: id(),
        deviceId: id(),
        applicationId: id(),
        createdById: id(),
        deviceIds: { example: [ID_EXAMPLE] },
      }),
    ).toEqual({
      id: exampleId('pump'),
      deviceId: exampleId('device'),
      applicationId: exampleId('application'),
      createdById: exampleId('user'),
      deviceIds: [exampleId('device')],
    });
  });

  it('names owners by the type beside them', () => {
    const named = namedProperties('Pump', { ownerId: id(), ownerType: text('organization') });
    expect(named.ownerId).toBe(exampleId('org'));
  });

  it('keeps times in order', () => {
    const time = text(TIME_EXAMPLE);
    const { creationDate, lastUpdated } = namedProperties('Pump', {
      creationDate: { ...time },
      lastUpdated: time,
    });
    expect(String(lastUpdated) > String(creationDate)).toBe(true);
  });
});
