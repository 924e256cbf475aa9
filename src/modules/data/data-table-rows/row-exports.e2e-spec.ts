import { parse } from 'csv-parse/sync';
import { CallbackReceiver } from '../../../../test/doubles/callback-receiver.js';
import { makeDataTable, type MadeTable } from '../../../../test/make/data-tables.js';
import { download, waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import { makeApplication, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { RowExportJob } from './row-export.job.js';

const env: Record<string, string> = { EXPORT_INTERVAL: '300' };
const receiver = new CallbackReceiver();
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test, user, application } = suite(env, { retries: false });

const DAY_MS = 86_400_000;
let table: MadeTable;
beforeEach(async () => {
  table = await makeDataTable(test, user.token, application.id, [
    { name: 'serial', dataType: 'string', constraint: 'optional' },
    { name: 'stock', dataType: 'number', constraint: 'optional' },
    { name: 'open', dataType: 'boolean', constraint: 'optional' },
  ]);
});

const ask = (body: object, at = table) => test.client.post(`${at.rows}/export`, body, { token: user.token });

async function exported(body: object, at = table): Promise<{ text: string; rows: Record<string, string>[] }> {
  const email = `${uniqueName()}@example.com`;
  const answer = await ask({ ...body, email }, at);
  expect(answer).toMatchObject({ status: 202, body: { success: true, jobQueued: true } });
  expect(await waitForOutcome(test, answer.body.jobId)).toMatchObject({ status: 'completed' });
  const response = await download(test, await mailedLink(test, email));
  expect(response.status).toBe(200);
  const text = await response.text();
  return { text, rows: parse(text, { columns: true }) };
}

describe('An export of rows', () => {
  it('has a line for each row with its ID, values and times', async () => {
    const [id] = await table.insert([{ serial: 'Ä "1", a', stock: -2.5, open: false }, { serial: 'b\nc' }]);
    const { text, rows } = await exported({});
    const { body } = await test.client.get(table.rows, { token: user.token });
    expect(text.split('\r\n')[0]).toBe('id,serial,stock,open,createdAt,updatedAt');
    expect(rows).toEqual([
      {
        id,
        serial: 'Ä "1", a',
        stock: '-2.5',
        open: 'false',
        createdAt: body.items[0].createdAt,
        updatedAt: body.items[0].updatedAt,
      },
      expect.objectContaining({ serial: 'b\nc', stock: '', open: '' }),
    ]);
  });

  it('contains only the heading when there are no rows', async () => {
    expect((await exported({})).text).toBe('id,serial,stock,open,createdAt,updatedAt\r\n');
  });

  it('contains the rows that match a query, sorted and limited as requested', async () => {
    await table.insert([5, 3, 9, 1, 7].map((stock) => ({ stock })));
    const queryOptions = { sortColumn: 'stock', sortDirection: 'DESC', offset: 1, limit: 2 };
    const { rows } = await exported({ query: { stock: { $lt: 9 } }, queryOptions });
    expect(rows.map(({ stock }) => stock)).toEqual(['5', '3']);
  });

  it('contains every row exactly once, regardless of size', async () => {
    await table.insert([{ serial: 'x'.repeat(60_000) }]);
    for (let n = 0; n < 3; n++)
      await table.insert(Array.from({ length: 800 }, (_, i) => ({ stock: n * 800 + i })));
    const { rows } = await exported({ queryOptions: { sortColumn: 'stock' } });
    const expected = [...Array.from({ length: 2_400 }, (_, i) => String(i)), ''];
    expect(rows.map(({ stock }) => stock)).toEqual(expected);
  });

  it('escapes text that a spreadsheet would interpret as a formula', async () => {
    const odd = await makeDataTable(test, user.token, application.id, [
      { name: '-a', dataType: 'string', constraint: 'optional' },
    ]);
    await odd.insert([{ '-a': '=1+1' }, { '-a': '@SUM(A1)' }]);
    const { text } = await exported({ queryOptions: { sortColumn: '-a' } }, odd);
    const [heading, ...lines] = text.trim().split('\r\n');
    expect(heading).toContain(",'-a,");
    expect(lines.map((line) => line.split(',')[1])).toEqual(["'=1+1", "'@SUM(A1)"]);
  });

  it('is announced by email and callback with a link valid for seven days', async () => {
    const { body } = await ask({ callbackUrl: `${receiver.origin}/exports` });
    await waitForOutcome(test, body.jobId);
    await waitUntil(async () => receiver.told(body.jobId).length > 0);
    const [{ type, data }] = receiver.told(body.jobId);
    expect({ type, data }).toEqual({
      type: 'dataTableRows.export',
      data: {
        jobId: body.jobId,
        applicationId: application.id,
        status: 'completed',
        url: expect.any(String),
        expiresAt: expect.any(String),
      },
    });
    const left = Date.parse(data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(6.9 * DAY_MS);
    expect(left).toBeLessThanOrEqual(7 * DAY_MS);
    expect((await download(test, data.url)).status).toBe(200);
  });

  it('fails with a message when a requested column no longer exists', async () => {
    const email = `${uniqueName()}@example.com`;
    const task = {
      applicationId: application.id,
      dataTableId: table.id,
      name: 'Parts',
      listeners: { email },
    };
    const job = { id: newId(), attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
    const run = test.app
      .get(RowExportJob, { strict: false })
      .run(
        { ...task, asked: { query: { weight: 1 } } },
        { ...job, progress: () => Promise.resolve(), saveState: () => Promise.resolve() },
      );
    await expect(run).rejects.toMatchObject({ status: 400 });
    const [mail] = await mailsTo(test, email);
    expect(mail!.subject).toBe('The export of the data table Parts has failed');
    expect(mail!.text).toContain('query.weight is not an attribute that can be queried');
  });

  it('is limited to one in five minutes per table', async () => {
    expect((await ask({})).status).toBe(202);
    const again = await ask({});
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(200);
    const other = await makeDataTable(test, user.token, application.id, []);
    expect((await ask({}, other)).status).toBe(202);
  });

  it.each([
    [{ query: { weight: 1 } }, 'dataTableRowsExport.query.weight is not an attribute that can be queried'],
    [{ query: { stock: 'a' } }, 'dataTableRowsExport.query.stock must be a number'],
    [
      { queryOptions: { sortColumn: 'weight' } },
      'dataTableRowsExport.queryOptions.sortColumn names weight, which is not a column of the table',
    ],
    [{ queryOptions: { limit: 1e300 } }, 'dataTableRowsExport.queryOptions.limit must be <= 999999999'],
    [{ email: 'nobody' }, 'dataTableRowsExport.email must be an email address'],
    [
      { callbackUrl: 'http://10.0.0.1/' },
      'dataTableRowsExport.callbackUrl must be an https URL of a public server without user information',
    ],
    [{ format: 'json' }, 'dataTableRowsExport.format is not a property of dataTableRowsExport'],
  ])('rejects %j', async (body, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body]).toEqual([400, { type: 'Validation', message }]);
  });

  it('is recorded in the audit log of the organization, as are bulk deletions and truncation', async () => {
    const org = await makeOrg(test, user.token);
    const { id, name } = await makeApplication(test, user.token, { orgId: org.id });
    table = await makeDataTable(test, user.token, id, []);
    await table.insert([{}, {}, {}]);
    const options = { token: user.token };
    await test.client.post(`${table.rows}/delete?limit=1`, {}, options);
    await test.client.post(`${table.rows}/truncate`, undefined, options);
    await ask({});
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs?sortDirection=asc`, options);
    const about = body.items.filter(({ requestResource }: any) => requestResource === 'dataTableRows');
    expect(about.map(({ requestAction }: any) => requestAction).sort()).toEqual([
      'delete',
      'export',
      'truncate',
    ]);
    for (const entry of about)
      expect(entry).toMatchObject({
        primaryTargetType: 'Application',
        primaryTargetId: id,
        primaryTargetName: name,
        secondaryTargetType: 'DataTable',
        secondaryTargetId: table.id,
      });
  });
});
