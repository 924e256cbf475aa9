import type { OpenAPIObject } from '@nestjs/swagger';
import { existsSync, readFileSync } from 'node:fs';
import { responsesOf, type Operation } from '../../src/openapi/operations.js';
import { prune } from '../../src/openapi/prune.js';
import { documentText } from '../../src/openapi/emit.js';
import { startApp } from '../setup/app.js';
import { documentFaults } from '../contract/document-rules.js';

const FILE = new URL('../../openapi/openapi.json', import.meta.url);

let text: string;
let document: OpenAPIObject;

beforeAll(async () => {
  text = await documentText();
  document = JSON.parse(text) as OpenAPIObject;
});

describe('the document', () => {
  it('names, describes and exemplifies everything', () => {
    expect(documentFaults(document)).toEqual([]);
  });

  it('matches the file in the repository', () => {
    const checkedIn = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
    if (checkedIn === text) return;
    const lines = text.split('\n');
    const at = checkedIn.split('\n').findIndex((line, i) => line !== lines[i]);
    throw new Error(`openapi/openapi.json differs from the code from line ${at + 1} on: run npm run openapi`);
  });

  it('matches the document that is served', async () => {
    const test = await startApp();
    try {
      const served = await fetch(`${test.client.url}/openapi.json`);
      expect(await served.json()).toEqual(document);
    } finally {
      await test.close();
    }
  });
});

describe('the rules', () => {
  type Loose = Record<string, any>;
  /** Gives an operation a `400` that it does not share, and returns its example. */
  const messageOf = (operation: Loose) => {
    const own = structuredClone(responsesOf(document, operation as Operation)[400] as Loose);
    operation.responses[400] = own;
    return own.content['application/json'].example;
  };

  /** A part of the document with one path, which is faster to check than all of it. */
  function excerpt(): OpenAPIObject {
    const { '/me': me } = document.paths;
    const part = structuredClone({ ...document, paths: { '/me': me! } });
    prune(part);
    return part;
  }

  const jsonParameter = (json: object, example: string) => ({
    name: 'x',
    in: 'query',
    schema: { type: 'string', example },
    'x-json-schema': json,
  });

  it('report nothing for a valid document', () => {
    expect(documentFaults(excerpt())).toEqual([]);
  });

  it.each<[string, (document: Loose) => void, string]>([
    [
      'another id',
      ({ paths }) => (paths['/me'].get.operationId = 'getMe'),
      'getMe is not <resource>_<action>',
    ],
    [
      'a tag of no family',
      ({ paths }) => (paths['/me'].get.tags = ['notes']),
      'me_get does not have one tag of a family, but notes',
    ],
    [
      'a tag without a group',
      (spoilt) => (spoilt['x-tagGroups'][0].tags = ['auth', 'apiTokens']),
      'the tag me is not in one group',
    ],
    ['an id twice', ({ paths }) => (paths['/me'].get.operationId = 'me_patch'), 'me_patch is there twice'],
    ['no description', ({ paths }) => (paths['/me'].get.description = ''), 'me_get is not described'],
    [
      'more scopes than a message lists',
      ({ paths }) => (paths['/me'].get['x-scopes'] = Array(50).fill('all.User')),
      'me_get accepts too many scopes to list',
    ],
    [
      'a callback without its request',
      ({ components }) => (components.schemas.MePatch.properties.callbackUrl = { type: 'string' }),
      'me_patch takes a callbackUrl and documents no callback',
    ],
    [
      'events without names',
      ({ paths }) => (paths['/me'].get.responses[200].content['text/event-stream'] = {}),
      'me_get streams events without names',
    ],
    [
      'an event without a component',
      ({ paths }) =>
        (paths['/me'].get.responses[200].content['text/event-stream'] = { 'x-events': { changed: {} } }),
      'me_get: the event changed is no component',
    ],
    [
      'a link without a lifetime',
      ({ components }) =>
        (components.schemas.Me.properties.url.example = 'https://api.example.com/blobs/a?signature=b'),
      'Me.url is a signed link without its lifetime',
    ],
    ['no error', ({ paths }) => delete paths['/me'].get.responses[401], 'me_get does not declare 401'],
    [
      'a body to guess at',
      ({ paths }) => delete paths['/me'].patch.requestBody.content['application/json'].example,
      'me_patch has no example of its body',
    ],
    [
      'a response to guess at',
      ({ paths }) => delete paths['/me'].get.responses[200].content['application/json'].examples,
      'me_get has no example of its 200',
    ],
    [
      'a wrong response',
      ({ components }) => (components.examples.Me.value.email = 5),
      'me_get: the example of its 200 is not valid',
    ],
    [
      'a response that is not that of the body',
      ({ paths }) => (paths['/me'].patch.requestBody.content['application/json'].example.firstName = 'Eve'),
      'me_patch: its body has another firstName than its response',
    ],
    [
      'the 400 of another operation',
      ({ paths }) => (messageOf(paths['/me'].get).message = 'application.name is required'),
      'me_get: its 400 names nothing of the operation',
    ],
    [
      'one 400 for two bodies',
      ({ paths }) => {
        const body = structuredClone(paths['/me'].patch.requestBody);
        body.content['application/json'].schema = { $ref: '#/components/schemas/Me' };
        paths['/me'].get.requestBody = body;
        messageOf(paths['/me'].get).message = messageOf(paths['/me'].patch).message;
      },
      'me_patch and me_get show the same 400',
    ],
    [
      'an upload of JSON',
      ({ paths }) => {
        const { content } = paths['/me'].patch.requestBody;
        content['multipart/form-data'] = content['application/json'];
      },
      'me_patch: its 413 or 415 is not about forms',
    ],
    [
      'a change before the creation',
      ({ components }) => (components.examples.Me.value.lastUpdated = '2020-01-01T00:00:00.000Z'),
      'Me: its creationDate is after its lastUpdated',
    ],
    [
      'a list that is longer than it says',
      ({ components }) => (components.examples.Me.value = { items: [], count: 1 }),
      'Me does not count its items',
    ],
    [
      'a bare parameter',
      ({ paths }) => paths['/me'].get.parameters.push({ name: 'x', in: 'query', schema: { type: 'string' } }),
      'me_get: x has no example',
    ],
    [
      'a parameter with a content',
      ({ paths }) =>
        paths['/me'].get.parameters.push({ name: 'x', in: 'query', content: { 'application/json': {} } }),
      'me_get: x has a content, which generators send as [object Object]',
    ],
    [
      'a JSON parameter with an unnamed schema',
      ({ paths }) => paths['/me'].get.parameters.push(jsonParameter({ type: 'object' }, '{}')),
      'me_get: x is JSON with a schema without a name',
    ],
    [
      'a JSON parameter with a wrong example',
      ({ paths }) =>
        paths['/me'].get.parameters.push(jsonParameter({ $ref: '#/components/schemas/Me' }, 'true')),
      'me_get: x has an example that its JSON schema refuses',
    ],
    [
      'null in an enum',
      ({ components }) =>
        (components.schemas.UserLimits.properties.x = { type: 'string', enum: ['a', null] }),
      'UserLimits.x has null in its enum',
    ],
    [
      'an enum without a name',
      ({ components }) => (components.schemas.Me.properties.x = { type: 'string', enum: ['a', 'b'] }),
      'Me.x is an enum without a name',
    ],
    [
      'a name that shadows a global',
      ({ components }) => (components.schemas.Event = { type: 'object', description: 'An event.' }),
      'Event shadows a global of the same name',
    ],
    [
      'an integer without a format',
      ({ components }) => (components.schemas.Me.properties.x = { type: 'integer' }),
      'Me.x is an integer without a format',
    ],
    [
      'typed properties beside others',
      ({ components }) => (components.schemas.Me.additionalProperties = { type: 'string' }),
      'Me has other properties of a type beside its own, which most languages cannot express',
    ],
    [
      'a property without a type',
      ({ components }) => (components.schemas.Me.properties.x = { description: 'Anything.' }),
      'Me.x has no type',
    ],
    [
      'a repeated parameter',
      ({ paths }) => {
        for (const { parameters } of [paths['/me'].get, paths['/me'].patch])
          parameters.push({ name: 'x', in: 'query', schema: { type: 'string', example: 'a' } });
      },
      'me_patch: x repeats a parameter instead of referring to it',
    ],
    [
      'a repeated error',
      ({ paths }) => {
        for (const { responses } of [paths['/me'].get, paths['/me'].patch])
          responses[409] = { description: 'Busy.' };
      },
      'me_patch: its 409 repeats a response instead of referring to it',
    ],
    [
      'a bare property',
      ({ components }) => (components.schemas.Me.properties.x = { type: 'string' }),
      'Me.x is not described',
    ],
    [
      'an object without a name',
      ({ components }) =>
        (components.schemas.Me.properties.x = {
          type: 'object',
          description: 'X.',
          properties: { a: { type: 'boolean' } },
        }),
      'Me.x is an object without a name',
    ],
    [
      'an empty choice',
      ({ components }) =>
        (components.schemas.Me.properties.x = { type: 'string', description: 'X.', enum: [''] }),
      'Me.x has an empty choice',
    ],
    [
      'a wrong example',
      ({ components }) => (components.schemas.Me.properties.email.example = 'nobody'),
      'components.schemas.Me.properties.email: "nobody" is no example',
    ],
    [
      'an open body',
      ({ components }) => delete components.schemas.MePatch.additionalProperties,
      'MePatch takes unknown properties',
    ],
    [
      'a property described by its name',
      ({ components }) => (components.schemas.Me.properties.email.description = 'The email.'),
      'Me.email is described by little more than its name',
    ],
    [
      'a summary with a full stop',
      ({ paths }) => (paths['/me'].get.summary = 'Returns the user.'),
      'document.paths./me.get: the summary ends with a full stop',
    ],
    [
      'a long summary',
      ({ paths }) => (paths['/me'].get.summary = 'Returns' + ' the user'.repeat(6)),
      'document.paths./me.get: the summary has more than 12 words',
    ],
    [
      'a refused phrase',
      ({ components }) => (components.schemas.Me.description = 'Serves whoever signs in.'),
      'document.components.schemas.Me: "whoever" is a refused phrase: Serves whoever signs in.',
    ],
    [
      'a long sentence',
      ({ components }) => (components.schemas.Me.description = `Runs${' on'.repeat(35)}.`),
      `document.components.schemas.Me: a sentence has 36 words, more than 35: Runs${' on'.repeat(35)}.`,
    ],
    ['another name', ({ components }) => (components.schemas.my_thing = {}), 'my_thing is not PascalCase'],
    [
      'a lost reference',
      ({ components }) => delete components.schemas.UserLimits,
      '#/components/schemas/UserLimits leads nowhere',
    ],
  ])('report %s', (_title, spoil, fault) => {
    const spoilt = excerpt();
    spoil(spoilt as Loose);
    expect(documentFaults(spoilt)).toContain(fault);
  });
});
