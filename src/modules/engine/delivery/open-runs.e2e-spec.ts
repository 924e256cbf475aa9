import { jest } from '@jest/globals';
import { makeApplication } from '../../../../test/make/make.js';
import { ListenedWebhook } from '../../../../test/make/webhooks.js';
import type { TestApp } from '../../../../test/setup/app.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { laneOf } from '../../../workflows/runs/lanes.js';
import { Engine } from './engine.js';
import { RunExecutor } from './run-executor.js';

describe('Two engines', () => {
  const { test, other, user } = suite(
    { PROCESS_ROLE: 'api,worker,engine' },
    { database: 'own', retries: false },
  );
  const engineOf = ({ app }: TestApp) => app.get(Engine, { strict: false });
  const timeOut = new AbortController();

  /** Keeps the runs of an application open until `ended`, and returns how many are. */
  function held({ app }: TestApp, applicationId: string, ended: Promise<void>): () => number {
    const executor = app.get(RunExecutor, { strict: false });
    const execute = executor.execute.bind(executor);
    let open = 0;
    jest.spyOn(executor, 'execute').mockImplementation(async (run, facts) => {
      if (run.applicationId === applicationId) {
        open++;
        await ended;
      }
      return execute(run, facts);
    });
    return () => open;
  }

  it('have at most 100 open runs of an application together', async () => {
    await waitUntil(async () => [test, other].every((app) => engineOf(app).laneCount === 32), 60_000);
    const application = await makeApplication(test, user.token);
    const isOwner = engineOf(test).owns(laneOf(application.id));
    const [owner, second] = isOwner ? [test, other] : [other, test];
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const [ofOwner, ofSecond] = [owner, second].map((app) => held(app, application.id, ended));
    const plain = await Promise.all([1, 2].map(() => ListenedWebhook.make(test, {}, { user, application })));
    const awaited = await ListenedWebhook.make(test, { waitForReply: true }, { user, application });
    for (const hook of plain) await Promise.all(Array.from({ length: 60 }, () => hook.send()));
    const replies = Array.from({ length: 60 }, () =>
      fetch(`${second.client.url}/webhooks/${awaited.webhook.token}`, { signal: timeOut.signal }),
    );
    const settled = Promise.allSettled(replies);
    await waitUntil(async () => ofOwner!() === 70 && ofSecond!() === 30);
    await waitUntil(async () => (await awaited.runs()).length === 180);
    // The engines go on with other applications, but begin no more runs of this one.
    for (let n = 0; n < 4; n++) {
      const free = await ListenedWebhook.make(test, {}, { user });
      await free.send();
      await waitUntil(async () => (await free.runs()).length === 0);
    }
    expect([ofOwner!(), ofSecond!()]).toEqual([70, 30]);
    end();
    await waitUntil(async () => (await awaited.runs()).length === 0);
    timeOut.abort();
    await settled;
  }, 120_000);
});
