import { makeApplication } from '../../../../test/make/make.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import type { Actor } from '../../../workflows/engine/ports.js';
import { FlowNodeStateRetention, FlowStorageRetention } from './flow-storage-retention.js';
import { FlowStoragePort } from './flow-storage-port.js';

const { test, user, application } = suite();
let port: FlowStoragePort;
let actor: Actor;

beforeAll(() => {
  port = test.app.get(FlowStoragePort, { strict: false });
});

beforeEach(async () => {
  actor = await actorIn(application.id);
});

async function actorIn(applicationId: string): Promise<Actor> {
  const flow = await makeFlow(test, user.token, applicationId);
  return { id: 'run', applicationId, flowId: flow.id };
}

const stored = async (): Promise<unknown> =>
  (
    await test.client.get(`/applications/${application.id}/flows/${actor.flowId}/storage`, {
      token: user.token,
    })
  ).body;

/** Makes all values and states of the workflow a number of days old; the owner keeps data for 30 days. */
async function age(days: number): Promise<void> {
  const limits = { dataTTL: 30 * 86_400 };
  await test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, limits]);
  for (const table of ['flow_storage', 'flow_node_states'])
    await test.dataSource.query(
      `UPDATE ${table} SET last_updated = now() - make_interval(days => $2) WHERE flow_id = $1`,
      [actor.flowId, days],
    );
}

describe('Stored values', () => {
  it('keep their types, and a write returns the previous value', async () => {
    expect(await port.get(actor, 'k')).toBeUndefined();
    expect(await port.set(actor, 'k', { list: [1, null, 'ä'] })).toBeUndefined();
    expect(await port.set(actor, 'k', 'short')).toEqual({ list: [1, null, 'ä'] });
    expect(await port.set(actor, 'k', null)).toBe('short');
    expect(await port.set(actor, 'k', { longer: 'than before' })).toBeNull();
    expect(await port.all(actor)).toEqual({ k: { longer: 'than before' } });
    expect(await stored()).toEqual({ k: { longer: 'than before' } });
    expect(await port.set(actor, 'k', undefined)).toEqual({ longer: 'than before' });
    expect(await port.set(actor, 'k', undefined)).toBeUndefined();
    expect(await port.all(actor)).toEqual({});
  });

  it('are added to without losing any of several concurrent additions', async () => {
    const sums = await Promise.all(Array.from({ length: 40 }, () => port.add(actor, 'n', 0.5)));
    expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => (i + 1) / 2));
    expect(await port.add(actor, 'n', -20)).toBe(0);
    expect(await port.add(actor, 'n', 0.1)).toBe(0.1);
    expect(await port.add(actor, 'n', 0.2)).toBe(0.1 + 0.2);
  });

  it('are not added to unless they are numbers', async () => {
    await port.set(actor, 's', 'x');
    const fault = { name: 'ValidationError', message: 'The stored value of s is not a number' };
    await expect(port.add(actor, 's', 1)).rejects.toMatchObject(fault);
    await expect(port.add(actor, 'n', NaN)).rejects.toMatchObject({ name: 'ValidationError' });
    expect(await port.all(actor)).toEqual({ s: 'x' });
  });

  it('have keys of 1 to 255 characters and at most 16 KiB', async () => {
    const invalid = { name: 'ValidationError' };
    await expect(port.set(actor, '', 1)).rejects.toMatchObject(invalid);
    await expect(port.set(actor, 'k'.repeat(256), 1)).rejects.toMatchObject(invalid);
    await expect(port.set(actor, 'a\0', 1)).rejects.toMatchObject(invalid);
    await expect(port.set(actor, 'k', 'v'.repeat(16 * 1024 - 1))).rejects.toMatchObject(invalid);
    await expect(port.set(actor, 'k', JSON.parse('{"__proto__":1}'))).rejects.toMatchObject(invalid);
    await port.set(actor, 'k'.repeat(255), 'v'.repeat(16 * 1024 - 2));
    expect(Object.keys(await port.all(actor))).toEqual(['k'.repeat(255)]);
  });

  it('are at most 1 MiB for a workflow', async () => {
    const value = 'v'.repeat(16_000);
    for (let i = 0; i < 65; i++) await port.set(actor, `k${i}`, value);
    await expect(port.set(actor, 'k65', value)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining('1048576 bytes'),
    });
    expect(await port.set(actor, 'k64', value)).toBe(value);
  });

  it('belong to one workflow of one application', async () => {
    await port.set(actor, 'k', 1);
    const other = await actorIn(application.id);
    const elsewhere = await makeApplication(test, user.token);
    const foreign = { ...actor, applicationId: elsewhere.id };
    for (const stranger of [other, foreign]) {
      expect(await port.get(stranger, 'k')).toBeUndefined();
      expect(await port.set(stranger, 'k', undefined)).toBeUndefined();
    }
    for (const refused of [port.all(foreign), port.set(foreign, 'k', 2), port.add(foreign, 'k', 2)])
      await expect(refused).rejects.toMatchObject({ name: 'NotFound' });
    expect(await port.get(actor, 'k')).toBe(1);
  });

  it('are kept for the data retention of the owner after their last use', async () => {
    for (const key of ['read', 'added', 'replaced', 'unused']) await port.set(actor, key, 1);
    await age(40);
    await port.get(actor, 'read');
    await port.add(actor, 'added', 1);
    await port.set(actor, 'replaced', 2);
    await test.app.get(FlowStorageRetention, { strict: false }).removeOld();
    expect(await port.all(actor)).toEqual({ read: 1, added: 2, replaced: 2 });
  });
});

describe('States of nodes', () => {
  const counted = (current: unknown) => {
    const n = ((current as { n: number } | undefined)?.n ?? 0) + 1;
    return { state: { n }, result: n };
  };

  it('change atomically for each node and identifier', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => port.update(actor, 'node', 'a', counted)),
    );
    expect(results.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await port.update(actor, 'node', 'b', counted)).toBe(1);
    expect(await port.update(actor, 'other', 'a', counted)).toBe(1);
    expect(await port.update(actor, 'node', 'a', counted)).toBe(21);
  });

  it('can have any text as identifier, and are not part of the storage', async () => {
    for (const identifier of ['', '\0', '\ud800', 'x'.repeat(100_000)])
      expect(await port.update(actor, 'node', identifier, counted)).toBe(1);
    expect(await stored()).toEqual({});
  });

  it('are unchanged if the new state is invalid', async () => {
    await port.update(actor, 'node', 'a', counted);
    const large = port.update(actor, 'node', 'a', () => ({ state: 'v'.repeat(20_000), result: 0 }));
    await expect(large).rejects.toMatchObject({ name: 'ValidationError' });
    expect(await port.update(actor, 'node', 'a', counted)).toBe(2);
  });

  it('are kept for the data retention of the owner after their last use', async () => {
    const keep = (current: unknown) => ({ state: current ?? 1, result: current });
    for (const identifier of ['used', 'unused']) await port.update(actor, 'node', identifier, keep);
    await age(40);
    await port.update(actor, 'node', 'used', keep);
    await test.app.get(FlowNodeStateRetention, { strict: false }).removeOld();
    expect(await port.update(actor, 'node', 'used', keep)).toBe(1);
    expect(await port.update(actor, 'node', 'unused', keep)).toBeUndefined();
  });
});
