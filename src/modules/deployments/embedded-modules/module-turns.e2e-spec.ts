import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { EmbeddedModulesRepository } from './embedded-modules.repository.js';

const { test } = suite({ PROCESS_ROLE: 'api' }, { database: 'own' });
/** IDs of three applications by the ID of their owner, which is the order of turns. */
let ids: string[];
let rows: EmbeddedModulesRepository;
beforeEach(async () => {
  await test.dataSource.query('DELETE FROM embedded_modules');
  rows = test.app.get(EmbeddedModulesRepository, { strict: false });
  const users = await Promise.all(Array.from({ length: 3 }, () => makeUser(test)));
  users.sort((a, b) => (a.id < b.id ? -1 : 1));
  ids = [];
  for (const { token } of users) ids.push((await makeApplication(test, token)).id);
});

/** Requests modules of devices with these names, in this order. */
async function want(applicationId: string, ...names: string[]): Promise<void> {
  for (const deviceId of names)
    await rows.request({ applicationId, deviceId, bundleVersion: '1', recipe: 'r' }, false);
}

/** Claims modules in batches of at most `max` until the queue is empty. Returns the device names of each batch. */
async function claimAll(max: number): Promise<string[][]> {
  const turns: string[][] = [];
  for (let after = ''; ;) {
    const claimed = await rows.claim(max, after);
    if (claimed.length === 0) return turns;
    turns.push(claimed.map(({ deviceId }) => deviceId));
    after = claimed.at(-1)!.ownerId;
  }
}

it('modules are claimed round robin over owners, however many an owner has queued', async () => {
  await want(ids[0]!, 'a4', 'a2', 'a3', 'a1', 'a5');
  await want(ids[2]!, 'c1');
  await want(ids[1]!, 'b1', 'b2');
  expect(await claimAll(1)).toEqual([['a4'], ['b1'], ['c1'], ['a2'], ['b2'], ['a3'], ['a1'], ['a5']]);
});

it('owners do not get more turns by distributing modules over applications', async () => {
  const [owner] = await test.dataSource.query('SELECT owner_id FROM applications WHERE id = $1', [ids[0]]);
  await test.dataSource.query('UPDATE applications SET owner_id = $1 WHERE id = $2', [
    owner.owner_id,
    ids[1],
  ]);
  await want(ids[0]!, 'a1', 'a2');
  await want(ids[1]!, 'b1', 'b2');
  await want(ids[2]!, 'c1');
  expect(await claimAll(1)).toEqual([['a1'], ['c1'], ['a2'], ['b1'], ['b2']]);
});

it('a batch contains several modules of an owner if no other has any queued', async () => {
  await want(ids[0]!, 'a1', 'a2', 'a3', 'a4', 'a5');
  await want(ids[1]!, 'b1');
  const turns = await claimAll(3);
  expect(turns.map((turn) => turn.sort())).toEqual([
    ['a1', 'a2', 'b1'],
    ['a3', 'a4', 'a5'],
  ]);
});

it('concurrent workers claim different modules', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `a${n}`);
  await want(ids[0]!, ...names);
  await want(ids[1]!, 'b1', 'b2');
  const claimed = (await Promise.all(Array.from({ length: 4 }, () => claimAll(2)))).flat(2);
  expect(claimed.sort()).toEqual([...names, 'b1', 'b2'].sort());
});

it('modules of the same workflows are claimed one after the other, by any number of workers', async () => {
  await want(ids[0]!, 'a1', 'a2', 'a3', 'a4');
  await test.dataSource.query(
    `UPDATE embedded_modules SET workflows = CASE device_id WHEN 'a4' THEN 'other' ELSE 'same' END`,
  );
  const claimed = (await Promise.all(Array.from({ length: 4 }, () => rows.claim(4, '')))).flat();
  expect(claimed.map(({ deviceId }) => deviceId).sort()).toEqual(['a1', 'a4']);
  for (const one of claimed) await rows.delete(one);
  expect((await rows.claim(4, '')).map(({ deviceId }) => deviceId)).toEqual(['a2']);
});
