import type { OpenAPIObject } from '@nestjs/swagger';
import type { Json } from '../../src/openapi/operations.js';
import { breakingChanges } from './breaking-changes.js';
import { unexplained } from './changelog.js';

const PUMP: Json = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 255 },
    kind: { type: 'string', enum: ['a', 'b', null], nullable: true },
    depth: { type: 'integer' },
    site: { oneOf: [{ $ref: '#/components/schemas/Site' }, { type: 'object', enum: [null] }] },
    data: { description: 'Anything.' },
  },
  additionalProperties: false,
};
const SITE: Json = {
  type: 'object',
  properties: { city: { type: 'string' }, parent: { $ref: '#/components/schemas/Site' } },
};
const content = (schema: Json) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  paths: {
    '/pumps': {
      post: {
        operationId: 'pumps_post',
        'x-scopes': ['all.User', 'pumps.post'],
        parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
        requestBody: content(ref('PumpPost')),
        responses: { 201: content(ref('Pump')), 400: { $ref: '#/components/responses/BadRequest' } },
      },
    },
  },
  components: {
    schemas: { Pump: PUMP, PumpPost: structuredClone(PUMP), Site: SITE },
    responses: { BadRequest: content({ type: 'object' }) },
  },
};
type Loose = any;

/** Returns the breaking changes of an edit of the document. */
function changesOf(edit: (document: Loose) => void): string[] {
  const after = structuredClone(DOCUMENT);
  edit(after);
  const changes = breakingChanges(DOCUMENT as unknown as OpenAPIObject, after as unknown as OpenAPIObject);
  return changes.map(({ subject, change }) => `${subject}: ${change}`);
}
const post = ({ paths }: Loose) => paths['/pumps'].post;
const properties = (document: Loose, name: string) => document.components.schemas[name].properties;

describe('breakingChanges', () => {
  it.each<[string, (document: Loose) => void, string]>([
    ['an operation', ({ paths }) => delete paths['/pumps'], 'pumps.post: POST /pumps was removed'],
    ['the name of an operation', (d) => (post(d).operationId = 'pumps_add'), 'pumps.post: is now pumps.add'],
    ['a scope', (d) => post(d)['x-scopes'].shift(), 'pumps.post: no longer accepts the scopes all.User'],
    ['a parameter', (d) => post(d).parameters.pop(), 'pumps.post: the query parameter dry was removed'],
    [
      'the type of a parameter',
      (d) => (post(d).parameters[0].schema.type = 'integer'),
      'pumps.post: input: dry: boolean is refused',
    ],
    [
      'a parameter that becomes required',
      (d) => (post(d).parameters[0].required = true),
      'pumps.post: the parameter dry is required',
    ],
    [
      'a body that becomes required',
      (d) => (post(d).requestBody.required = true),
      'pumps.post: the body is required',
    ],
    ['a response', (d) => delete post(d).responses[201], 'pumps.post: the response 201 was removed'],
    [
      'a media type',
      (d) => (post(d).responses[201].content = {}),
      'pumps.post: 201: the media type application/json was removed',
    ],
    [
      'a property of a closed body',
      (d) => delete properties(d, 'PumpPost').depth,
      'PumpPost: input: depth was removed',
    ],
    [
      'a new required property',
      (d) => d.components.schemas.PumpPost.required.push('depth'),
      'PumpPost: input: depth is required',
    ],
    [
      'a narrower choice',
      (d) => properties(d, 'PumpPost').kind.enum.shift(),
      'PumpPost: input: kind: the values a are refused',
    ],
    [
      'null',
      (d) => (properties(d, 'PumpPost').kind = { type: 'string', enum: ['a', 'b'] }),
      'PumpPost: input: kind: null is refused',
    ],
    [
      'a limit',
      (d) => (properties(d, 'PumpPost').name.maxLength = 10),
      'PumpPost: input: name: is limited by maxLength 10',
    ],
    [
      'a new pattern',
      (d) => (properties(d, 'PumpPost').name.pattern = '^a'),
      'PumpPost: input: name: is limited by pattern ^a',
    ],
    [
      'a property of a response',
      (d) => delete properties(d, 'Pump').depth,
      'Pump: output: depth was removed',
    ],
    [
      'a property that can be absent',
      (d) => d.components.schemas.Pump.required.pop(),
      'Pump: output: name can be absent',
    ],
    [
      'another type',
      (d) => (properties(d, 'Pump').depth.type = 'string'),
      'Pump: output: depth: can be string',
    ],
    ['a new null', (d) => (properties(d, 'Pump').name.nullable = true), 'Pump: output: name: can be null'],
    [
      'a component within another',
      (d) => delete properties(d, 'Site').city,
      'Site: output: city was removed',
    ],
    [
      'the name of a component',
      ({ components: { schemas } }) => {
        schemas.Place = schemas.Site;
        delete schemas.Site;
        for (const pump of [schemas.Pump, schemas.PumpPost]) pump.properties.site = ref('Place');
      },
      'Site: the component was removed or renamed',
    ],
  ])('names %s', (_title, edit, change) => {
    expect(changesOf(edit)).toContain(change);
  });

  it.each<[string, (document: Loose) => void]>([
    ['nothing', () => undefined],
    ['texts', (d) => (post(d).description = 'Creates a pump.')],
    ['a new operation', ({ paths }) => (paths['/pumps'].get = { operationId: 'pumps_get', responses: {} })],
    ['a new optional parameter', (d) => post(d).parameters.push({ name: 'x', in: 'query', schema: {} })],
    ['a new property', (d) => (properties(d, 'PumpPost').colour = { type: 'string' })],
    ['a wider choice', (d) => properties(d, 'PumpPost').kind.enum.push('c')],
    ['a new value in a response', (d) => properties(d, 'Pump').kind.enum.push('c')],
    ['a new limit on output', (d) => (properties(d, 'Pump').name.maxLength = 10)],
    [
      'another form of a nullable object',
      (d) => {
        for (const pump of ['Pump', 'PumpPost'])
          properties(d, pump).site = { nullable: true, oneOf: [ref('Site'), ref('Site')] };
      },
    ],
    [
      'all types instead of any type',
      (d) =>
        (properties(d, 'PumpPost').data = {
          anyOf: ['string', 'number', 'boolean', 'object', 'array'].map((type) => ({ type })),
        }),
    ],
    ['a number for an integer of a body', (d) => (properties(d, 'PumpPost').depth.type = 'number')],
    [
      'a choice with a name of its own',
      (d) => {
        d.components.schemas.Kind = { type: 'string', enum: ['a', 'b'] };
        properties(d, 'Pump').kind = { nullable: true, allOf: [ref('Kind')] };
        properties(d, 'PumpPost').kind = { nullable: true, allOf: [ref('Kind')] };
      },
    ],
  ])('does not name %s', (_title, edit) => {
    expect(changesOf(edit)).toEqual([]);
  });
});

it('unexplained returns what the unreleased part does not name under Breaking', () => {
  const changes = ['Pump', 'pumps.get', 'Site'].map((subject) => ({ subject, change: 'was removed' }));
  const changelog = [
    '# Changelog\n',
    '## [Unreleased]\n',
    '### Breaking\n',
    '- `Pump`: has no depth.\n',
    '### Added\n',
    '- `Site`\n',
    '## [0.1.0] - 2026-11-23\n',
    '### Breaking\n',
    '- `pumps.get` was removed.\n',
  ].join('\n');
  expect(unexplained(changes, changelog).map(({ subject }) => subject)).toEqual(['pumps.get', 'Site']);
  expect(unexplained(changes, '# Changelog\n')).toEqual(changes);
});
