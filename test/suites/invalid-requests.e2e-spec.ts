import type { OpenAPIObject } from '@nestjs/swagger';
import { documentText } from '../../src/openapi/emit.js';
import { invalidRequestsOf, type InvalidRequest } from '../../src/openapi/invalid-requests.js';
import { operationsOf, responsesOf } from '../../src/openapi/operations.js';
import { exampleId } from '../../src/platform/fields/example-id.js';
import { makeUser, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { fileForm } from '../contract/sample-paths.js';
import { selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';

// Every 400 of the document has the message of an error that its operation really responds with.

const document = JSON.parse(await documentText()) as OpenAPIObject;
const operations = new Map(
  operationsOf(document).map(({ operation }) => [operation.operationId.replace('_', '.'), operation]),
);
const schemas = new Schemas(document);
/** Path up to the last resource that decides about the rights of the caller. */
const PLACE = /^.*\/\{(applicationId|orgId|instanceId)\}/;

const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' });
let user: TestUser;
let samples: Samples;
beforeAll(async () => {
  user = await makeUser(test);
  samples = new Samples(test, user);
});

/** Returns the message in the document, and the request that provokes it. */
function documented({ id }: Target): { message: string; request?: InvalidRequest } {
  const operation = operations.get(id)!;
  const { content } = responsesOf(document, operation)[400] as {
    content?: Record<string, { example: Error }>;
  };
  const message = content?.['application/json']?.example.message ?? '';
  return {
    message,
    request: invalidRequestsOf(operation, document).find((each) => each.message === message),
  };
}

/** Returns IDs for a path: of places of the user, and of forms also those of rows, because forms are read last. */
async function idsFor({ path, form }: Target): Promise<Record<string, string>> {
  const place = form ? path : PLACE.exec(path)?.[0];
  const unknown = Object.fromEntries(idsIn(path).map((name) => [name, exampleId(name)]));
  return { ...unknown, ...(place ? await samples.idsOf(place) : {}) };
}

async function send(target: Target, request: InvalidRequest) {
  const ids = { ...(await idsFor(target)), ...('path' in request ? request.path : {}) };
  const query =
    'query' in request ? new URLSearchParams(request.query).toString() : requiredQuery(target.query, schemas);
  const body =
    'fileField' in request
      ? fileForm(request.fileField)
      : 'body' in request
        ? JSON.stringify(request.body)
        : target.form && new FormData();
  const path = `${filled(target.path, ids)}?${query}`;
  return test.client.request(target.method, path, { body, ...(target.open ? {} : { token: user.token }) });
}

const targets = selected(targetsOf(document));

describe('The example of a 400', () => {
  it.each(
    targets
      .filter(({ query, body, form, path }) => query.length > 0 || body || form || path.includes('{'))
      .map((target) => [target.id, target] as const),
  )('is what the operation responds with: %s', async (_id, target) => {
    const { message, request } = documented(target);
    expect([message, request]).toEqual([message, expect.anything()]);
    const answer = await send(target, request!);
    expect([answer.status, answer.body]).toEqual([400, { type: 'Validation', message }]);
  });
});

describe('The example of a 415', () => {
  const reading = targets.filter(({ body, form }) => body ?? form);
  it.each(reading.map((target) => [target.id, target] as const))(
    'is what the operation responds with: %s',
    async (id, target) => {
      const { content } = responsesOf(document, operations.get(id)!)[415] as {
        content: Record<string, { example: object }>;
      };
      const path = `${filled(target.path, await idsFor(target))}?${requiredQuery(target.query, schemas)}`;
      const { status, body } = await test.client.request(target.method, path, {
        body: '<a/>',
        headers: { 'content-type': 'text/xml' },
        ...(target.open ? {} : { token: user.token }),
      });
      expect([status, body]).toEqual([415, content['application/json']!.example]);
    },
  );
});
