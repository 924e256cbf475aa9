import { documentText } from '../../src/openapi/emit.js';
import { WorkflowCalls } from '../../src/platform/calls/workflow-calls.js';
import { parseQuery } from '../../src/platform/server/http.js';
import { ChangedRows } from './changed-rows.js';
import { idsIn, targetsOf, type Target } from './hostile/operations.js';
import { makeWorld, type World } from './permissions/callers.js';
import { Samples } from '../contract/samples.js';
import { timeouts, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

// Calls every operation that workflows can call, with valid IDs of their application and of another one.

const OF_APPLICATION = '/applications/{applicationId}/';
const candidates = targetsOf(JSON.parse(await documentText())).filter(({ path }) =>
  path.startsWith(OF_APPLICATION),
);

// No worker: its jobs of deleted resources would change rows during the tests.
const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' }, { database: 'own' });
let calls: WorkflowCalls;
let world: World;
/** Rows of another application of the same owner. */
let others: Samples;
let changed: ChangedRows;

beforeAll(async () => {
  calls = test.app.get(WorkflowCalls);
  world = await makeWorld(test);
  others = world.samples.of(world.owner, 'organization');
  changed = await ChangedRows.of(test.dataSource);
});

/** Calls an operation for a workflow of the application of `samples`, with the IDs, the query and body of a request. */
async function callIn(
  samples: Samples,
  { id, path }: Target,
  sent: { path: string; body?: unknown },
  ids: object,
) {
  const applicationId = (await samples.idsOf(path)).applicationId!;
  const { flowId } = await samples.idsOf('/applications/{applicationId}/flows/{flowId}');
  const [, query = ''] = sent.path.split('?');
  const given = { ...parseQuery(query), ...ids };
  await changed.take();
  return calls.call({ id: 'run', applicationId, flowId: flowId! }, id, given, sent.body);
}

describe.each(selected(candidates).map((target) => ({ name: target.id, target })))('$name', ({ target }) => {
  const isCallable = () => calls.callable.has(target.id);
  const below = idsIn(target.path).filter((name) => name !== 'applicationId');

  it(
    'works in the application of the workflow, or cannot be called',
    async () => {
      const samples = world.samples.of(world.owner, 'organization');
      const sent = await (isCallable() ? samples.requestFor(target) : samples.attemptOf(target));
      const answer = await callIn(samples, target, sent, await samples.idsOf(target.path));
      if (isCallable()) expect(answer).toEqual({ result: expect.anything() });
      else expect(answer).toEqual({ error: expect.objectContaining({ type: 'Forbidden' }) });
    },
    timeouts([target.path]),
  );

  if (below.length > 0)
    it(
      'does not find rows of another application',
      async () => {
        const foreign = await others.idsOf(target.path);
        const ids = await world.samples.idsOf(target.path);
        const sent = await world.samples.attemptOf(target);
        for (const name of below) {
          const answer = await callIn(world.samples, target, sent, {
            ...foreign,
            ...ids,
            [name]: foreign[name],
          });
          expect(answer).toEqual({
            error: expect.objectContaining({ statusCode: isCallable() ? 404 : 403 }),
          });
          expect(await changed.take()).toEqual([]);
        }
      },
      timeouts([target.path]),
    );
});

it('includes most operations on resources of an application', () => {
  const callable = candidates.filter(({ id }) => calls.callable.has(id));
  expect(callable.length).toBeGreaterThan(candidates.length * 0.8);
});
