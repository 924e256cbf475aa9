import { documentText } from '../../src/openapi/emit.js';
import { operationsOf } from '../../src/openapi/operations.js';
import { makeUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';
import { targetsOf } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';

const document = JSON.parse(await documentText());
const schemas = new Schemas(document);
const accepting = new Map(
  operationsOf(document)
    .filter(({ operation }) => JSON.stringify(operation.responses[202])?.includes('/JobEnqueuedResult"'))
    .map(({ operation }) => [operation.operationId.replace('_', '.'), operation.responses[202] as Json]),
);
/** Operations whose jobs are in no job log of an application in the path, each with the reason. */
const WITHOUT_LOG: Readonly<Record<string, string>> = {
  'applications.import': 'the application does not exist yet',
  'instance.generateReport': 'it is about an instance',
};
/** Operations that never answer `202`, or only for more rows than a sample has. `Client` checks their `Location`. */
const IN_REQUEST = new Set([
  'application.applyTemplate',
  'deviceRecipe.bulkCreate',
  'devices.patch',
  'devices.sendCommand',
  'events.delete',
  'events.patch',
  'flowVersions.delete',
]);

// No workers, so that no job ends.
const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api', EXPORT_INTERVAL: '0' });
const mayForce = (body: Json | undefined): boolean =>
  body !== undefined &&
  Object.hasOwn((schemas.resolve(body).properties as Json | undefined) ?? {}, 'forceJob');

describe('A response that accepts a job', () => {
  it('declares its Location and a link to the job, unless the job is in no log', () => {
    const silent = [...accepting].filter(([, { headers, links }]) => !(headers as Json).Location || !links);
    expect(silent.map(([id]) => id).sort()).toEqual(Object.keys(WITHOUT_LOG).sort());
  });

  const targets = targetsOf(document).filter(
    ({ id }) => accepting.has(id) && !(id in WITHOUT_LOG) && !IN_REQUEST.has(id),
  );
  it.each(targets.map((target) => [target.id, target] as const))(
    'has a Location that opens, as does its jobId: %s',
    async (_, target) => {
      // Of its own, because an owner may have one import at a time.
      const user = await makeUser(test);
      const { path, body } = await new Samples(test, user).requestFor(target);
      if (body instanceof FormData) body.append('options', JSON.stringify({ forceJob: true }));
      const forced = mayForce(target.body) ? { ...(body as object), forceJob: true } : body;
      const {
        status,
        body: accepted,
        headers,
      } = await test.client.request(target.method, path, {
        body: forced,
        token: user.token,
      });
      expect([status, accepted]).toMatchObject([202, { jobQueued: true }]);
      const location = headers.get('location')!;
      const log = await test.client.get(location, { token: user.token });
      expect([location, log.status]).toEqual([location, 200]);
      expect(location).toMatch(new RegExp(`/${log.body.id}$`));
      const byJobId = location.replace(/[^/]+$/, accepted.jobId as string);
      expect((await test.client.get(byJobId, { token: user.token })).body).toEqual(log.body);
    },
  );
});
