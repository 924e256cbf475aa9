import { holdings } from '../../families.js';
import { makeApplication, makeOrg, makeUser, type TestUser } from '../../../test/make/make.js';
import { startApp, type TestApp } from '../../../test/setup/app.js';
import { statementsOf } from '../../../test/suites/statements.js';
import { newId } from '../repositories/resource.js';
import { Removal } from './removal.js';

let test: TestApp;
let user: TestUser;
let removal: Removal;

beforeAll(async () => {
  // This process must not run the jobs that would perform the removal.
  test = await startApp({ PROCESS_ROLE: 'api' });
  removal = test.app.get(Removal);
});
afterAll(() => test.close());
beforeEach(async () => {
  user = await makeUser(test);
});

const never = new AbortController().signal;
const count = async (table: string, column: string, id: string): Promise<number> => {
  const [row] = await test.dataSource.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`,
    [id],
  );
  return row!.n;
};
const fill = (applicationId: string, webhooks: number) =>
  test.dataSource.query(
    `INSERT INTO webhooks (id, creation_date, last_updated, application_id, name, token, enabled, is_websocket, wait_for_reply,
       response_code, verification_type, annotate_multipart)
     SELECT substr(md5($1 || n), 1, 24), now(), now(), $1, 'a', md5($1 || n), true, false, false, 200, 'none', false
     FROM generate_series(1, $2) n`,
    [applicationId, webhooks],
  );

describe('Removal', () => {
  it('deletes all resources of an application in batches, and the application last', async () => {
    const { id } = await makeApplication(test, user.token);
    await fill(id, 2_000);
    const body = { name: 'a', triggers: [], nodes: [] };
    await test.client.post(`/applications/${id}/flows`, body, { token: user.token });
    await test.client.post(`/applications/${id}/keys`, {}, { token: user.token });
    await test.client.post(`/applications/${id}/tokens`, { name: 'a' }, { token: user.token });
    await test.client.delete(`/applications/${id}`, { token: user.token });
    const statements = await statementsOf(() => removal.application(id, never));
    const removals = statements.filter((text) => text.startsWith('DELETE FROM'));
    expect(removals.every((text) => text.includes('LIMIT'))).toBe(true);
    expect(removals.at(-1)).toContain('DELETE FROM applications');
    // 500, 1,000 and the rest: a fast statement enlarges the next batch.
    expect(removals.filter((text) => text.includes('webhooks')).length).toBeGreaterThanOrEqual(3);
    for (const { table } of holdings)
      expect([table, await count(table, 'application_id', id)]).toEqual([table, 0]);
    expect(await count('api_tokens', 'owner_id', id)).toBe(0);
    expect(await count('applications', 'id', id)).toBe(0);
    expect(await count('kept_counts', 'holder_id', id)).toBe(0);
  });

  it('does not affect an application that is not deleted', async () => {
    const { id } = await makeApplication(test, user.token);
    await fill(id, 3);
    await removal.application(id, never);
    expect(await count('webhooks', 'application_id', id)).toBe(3);
  });

  it('stops on request, and later continues from there', async () => {
    const { id } = await makeApplication(test, user.token);
    await fill(id, 1_200);
    await test.client.delete(`/applications/${id}`, { token: user.token });
    // Once before each table that is already empty, and once before the first batch.
    let left = holdings.findIndex(({ table }) => table === 'webhooks') + 1;
    const signal = {
      throwIfAborted: () => {
        if (left-- === 0) throw new Error('time is up');
      },
    } as unknown as AbortSignal;
    await expect(removal.application(id, signal)).rejects.toThrow('time is up');
    expect(await count('webhooks', 'application_id', id)).toBeGreaterThan(0);
    expect(await count('applications', 'id', id)).toBe(1);
    await removal.application(id, never);
    expect(await count('webhooks', 'application_id', id)).toBe(0);
    expect(await count('applications', 'id', id)).toBe(0);
  });

  it('deletes the applications of an owner, previously deleted or not, and no others', async () => {
    const org = await makeOrg(test, user.token);
    const mine = await makeApplication(test, user.token);
    const theirs = [
      await makeApplication(test, user.token, { orgId: org.id }),
      await makeApplication(test, user.token, { orgId: org.id }),
    ];
    await test.client.delete(`/applications/${theirs[0].id}`, { token: user.token });
    for (const { id } of [mine, ...theirs]) await fill(id, 10);
    await removal.applicationsOf(org.id, never);
    for (const { id } of theirs) expect(await count('webhooks', 'application_id', id)).toBe(0);
    expect(await count('applications', 'owner_id', org.id)).toBe(0);
    expect(await count('webhooks', 'application_id', mine.id)).toBe(10);
  });

  it('does nothing if there are no resources', async () => {
    await removal.application(newId(), never);
    await removal.applicationsOf(newId(), never);
    await removal.rows({ table: 'webhooks', column: 'application_id' }, newId(), never);
  });
});
