import { button, ExecutedFlow } from '../../../../test/make/executed-flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { INTEGRATION_MESSAGE, NOTEBOOK_END, RESOURCE_JOB } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'all' }, { database: 'own' });
const KEEP = {
  id: 'keep',
  type: 'StoreValueNode',
  config: { keyName: '{{data.type}}', valueType: 'path', value: '.' },
  outputIds: [[]],
};
const firings = () => test.app.get(Firings, { strict: false });
const listening = (type: string, key: string, config?: object) =>
  ExecutedFlow.make(test, user, application.id, {
    triggers: [{ type, key, config, outputIds: [['keep']] }, button('keep')],
    nodes: [KEEP],
  });
const firingOf = <C extends string>(type: string, key: string, data: object, channel: C) => ({
  applicationId: application.id,
  triggers: [{ type, key }],
  items: [{ given: textOf({ data }), channel, bytes: 1 }],
});

describe('Runs at the port of', () => {
  it('an integration have its messages, and what else the trigger selects', async () => {
    const id = newId();
    const fire = (kind: string) => {
      const firing = firingOf('integration', id, { type: kind, message: 'm' }, 'integration.flow' as const);
      const triggers = firing.triggers.map((trigger) => ({ ...trigger, kind }));
      return firings().fire(INTEGRATION_MESSAGE, [{ ...firing, triggers }]);
    };
    const flows = await Promise.all(
      [undefined, { message: false, failure: true }, { connect: true, disconnect: true }].map((config) =>
        listening('integration', id, config),
      ),
    );
    for (const kind of ['connect', 'message', 'disconnect', 'failure']) await fire(kind);
    const [usual, failures, connections] = flows as [ExecutedFlow, ExecutedFlow, ExecutedFlow];
    const heard = async (flow: ExecutedFlow) => Object.keys(await flow.stored()).sort();
    await waitUntil(async () => (await heard(connections)).length === 3);
    await waitUntil(async () => (await heard(failures)).length === 1);
    expect(await heard(connections)).toEqual(['connect', 'disconnect', 'message']);
    expect(await heard(failures)).toEqual(['failure']);
    await usual.isLogged();
    expect(await usual.stored()).toEqual({
      message: expect.objectContaining({
        triggerId: id,
        triggerType: 'integration',
        data: { type: 'message', message: 'm' },
        relayType: 'integration',
        relayId: id,
      }),
    });
  });

  it.each([
    ['notebook', NOTEBOOK_END, 'notebook'],
    ['resourceJobIteration', RESOURCE_JOB, 'resourceJob'],
    ['resourceJobIterationTimeout', RESOURCE_JOB, 'resourceJob'],
    ['resourceJobComplete', RESOURCE_JOB, 'resourceJob'],
  ] as const)('%s are stored with the change that causes them', async (type, cause, relayType) => {
    const id = newId();
    const flow = await listening(type, id);
    const firing = firingOf(type, id, { type: 'ended', success: true }, `${relayType}.flow` as const);
    const database = test.app.get(Database);
    const failed = database.transaction(async (transaction) => {
      await firings().fire(cause, [firing], transaction);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await database.transaction((transaction) => firings().fire(cause, [firing], transaction));
    await flow.isLogged();
    expect(await flow.stored()).toEqual({
      ended: expect.objectContaining({
        ...{ triggerId: id, triggerType: type, relayType, relayId: id },
        data: { type: 'ended', success: true },
      }),
    });
    expect(await flow.logs()).toHaveLength(1);
  });
});
