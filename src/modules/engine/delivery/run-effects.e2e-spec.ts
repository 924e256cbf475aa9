import { jest } from '@jest/globals';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { FREE_LANE, makeWaitingRuns, removeWaitingRuns } from '../../../../test/make/runs.js';
import type { TestApp } from '../../../../test/setup/app.js';
import { freshPlatform } from '../../../../test/setup/fresh-platform.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { WorkflowCalls } from '../../../platform/calls/workflow-calls.js';
import type { Actor } from '../../../workflows/engine/ports.js';
import type { WaitingRun } from '../../../workflows/runs/handover.js';
import { rowsTable } from '../../data/data-tables/table-columns.js';
import { Engine } from './engine.js';
import { RunEffects } from './run-effects.js';
import { RunEffectsRetention } from './run-effects-retention.js';
import { RunExecutor, type Executed } from './run-executor.js';
import { RunInboxRepository } from './run-inbox.repository.js';

const COLUMNS = [{ name: 'n', dataType: 'string', constraint: 'unique' }];
/** Ends what a dead engine waits for, so that its timers do not outlive the suite. */
const releases: (() => void)[] = [];
const never = <T>() =>
  new Promise<T>((_resolve, reject) => releases.push(() => reject(new Error('The engine is dead'))));

describe('Effects of a run', () => {
  const { test, user, application } = suite({ PROCESS_ROLE: 'api,worker,engine' }, { database: 'own' });
  let run: WaitingRun;
  let actor: Actor;
  let tableId: string;

  beforeEach(async () => {
    const flow = await makeFlow(test, user.token, application.id);
    const table = await test.client.post(
      `/applications/${application.id}/data-tables`,
      { name: 'Readings', columns: COLUMNS },
      { token: user.token },
    );
    tableId = table.body.id;
    const [row] = await makeWaitingRuns(test, { applicationId: application.id, flowId: flow.id });
    run = { id: row!.id, lane: FREE_LANE, seq: Number(row!.seq) } as WaitingRun;
    actor = { id: row!.id, applicationId: application.id, flowId: flow.id, effectId: 'effect' };
  });
  afterEach(() => removeWaitingRuns(test));

  const effects = () => test.app.get(RunEffects, { strict: false });
  const insert = (n: string, hasEffects = false, effectId = 'effect') =>
    effects()
      .apiOf({ run, hasEffects })
      .call({ ...actor, effectId }, 'dataTableRows.post', { dataTableId: tableId }, { n });
  const rows = () => test.dataSource.query(`SELECT id FROM ${rowsTable(tableId)}`);
  const stored = async () =>
    (await test.dataSource.query('SELECT id FROM run_effects WHERE seq = $1', [run.seq])).map(
      ({ id }: { id: string }) => id,
    );

  it.each([false, true])('happen once and have the result of the first time', async (hasEffects) => {
    const first = await insert('a');
    expect(first).toMatchObject({ result: { n: 'a' } });
    expect(await insert('b', hasEffects)).toEqual(first);
    expect(await rows()).toEqual([{ id: (first as any).result.id }]);
    expect(await insert('c', hasEffects, 'other')).toMatchObject({ result: { n: 'c' } });
    expect(await rows()).toHaveLength(2);
    expect((await stored()).sort()).toEqual(['effect', 'other']);
  });

  it('schedule a press once, however often the run begins', async () => {
    const triggers = [{ type: 'virtualButton', key: 'go', outputIds: [] }];
    const target = await makeFlow(test, user.token, application.id, { triggers });
    const press = { runId: '', flowId: target.id, key: 'go', flowVersion: 'default', payload: 1 };
    const schedule = (hasEffects: boolean) =>
      effects()
        .pressesOf({ run, hasEffects })
        .schedule(actor, { ...press, dueAt: new Date() });
    const pressed = () => test.dataSource.query('SELECT FROM flow_runs WHERE flow_id = $1', [target.id]);
    const first = await schedule(false);
    await waitUntil(async () => (await pressed()).length > 0);
    expect(await schedule(true)).toEqual(first);
    expect(await test.dataSource.query('SELECT FROM scheduled_presses')).toEqual([]);
    expect(await pressed()).toHaveLength(1);
  });

  it('happen once if two engines execute the run concurrently', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((n) => insert(n)));
    expect(await rows()).toHaveLength(1);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('do not happen once the run is finished', async () => {
    await removeWaitingRuns(test);
    await expect(insert('a')).rejects.toThrow('finished by another engine');
    expect(await rows()).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  describe('when the run is finished', () => {
    const ended = {
      isStored: true,
      pathsCompleted: 1,
      pathsFailed: 0,
      wallTime: 1,
      errors: [],
      hasEffects: true,
    };
    const finish = () =>
      test.app
        .get(RunInboxRepository, { strict: false })
        .finish([{ ...ended, lane: run.lane, seq: run.seq, fence: 1 }]);
    beforeAll(() =>
      test.dataSource.query(
        `INSERT INTO lane_leases (lane, owner, fence, until) VALUES (${FREE_LANE}, 'nobody', 1, 'infinity')`,
      ),
    );
    afterAll(() => test.dataSource.query(`DELETE FROM lane_leases WHERE lane = ${FREE_LANE}`));

    it('are removed with it', async () => {
      await insert('a');
      expect([...(await finish())]).toEqual([run.id]);
      expect(await stored()).toEqual([]);
    });

    it('are kept with it if another engine takes it over at the same time', async () => {
      await insert('a');
      const other = test.dataSource.createQueryRunner();
      await other.startTransaction();
      await other.query(`UPDATE run_inbox SET attempts = attempts + 1 WHERE lane = ${FREE_LANE}`);
      const finished = finish();
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM run_inbox%'
        AND pid <> pg_backend_pid()`;
      await waitUntil(async () => (await test.dataSource.query(waits)).length > 0);
      await other.commitTransaction();
      await other.release();
      expect([...(await finished)]).toEqual([]);
      expect(await stored()).toEqual(['effect']);
      const attempts = await test.dataSource.query(
        `SELECT attempts FROM run_inbox WHERE lane = ${FREE_LANE}`,
      );
      expect(attempts).toEqual([{ attempts: 1 }]);
    });
  });

  it('are removed by and by if they were stored while their run was finished', async () => {
    await insert('a');
    const store = 'INSERT INTO run_effects (seq, id, result) VALUES ($1, $2, $3)';
    await test.dataSource.query(store, [0, 'late', '{}']);
    await test.app.get(RunEffectsRetention, { strict: false }).removeOld();
    expect(await test.dataSource.query('SELECT FROM run_effects WHERE seq = 0')).toEqual([]);
    expect(await stored()).toEqual(['effect']);
  });

  it('are not stored if they fail or change nothing', async () => {
    await insert('a', false, 'first');
    expect(await insert('a')).toMatchObject({ error: { statusCode: 400 } });
    expect(await insert('b')).toMatchObject({ result: { n: 'b' } });
    const api = effects().apiOf({ run, hasEffects: false });
    await api.call({ ...actor, effectId: 'read' }, 'dataTableRows.query', { dataTableId: tableId }, {});
    await api.call({ ...actor, effectId: 'get' }, 'dataTable.get', { dataTableId: tableId });
    expect((await stored()).sort()).toEqual(['effect', 'first']);
  });

  it('in storage happen once', async () => {
    const storage = effects().storageOf({ run, hasEffects: false });
    const again = effects().storageOf({ run, hasEffects: true });
    const toggle = (state: unknown) => ({ state: state !== true, result: state ?? 'none' });
    const of = (effectId: string) => ({ ...actor, effectId });
    for (const each of [storage, again, storage]) {
      expect(await each.add(of('a'), 'n', 2)).toBe(2);
      expect(await each.add(of('b'), 'n', 2)).toBe(4);
      expect(await each.set(of('c'), 'n', 10)).toBe(4);
      expect(await each.update(of('d'), 'node', '', toggle)).toBe('none');
      expect(await each.update(of('e'), 'node', '', toggle)).toBe(true);
    }
    expect(await storage.all(actor)).toEqual({ n: 10 });
  });

  it('in files happen once, also if the transaction fails after the content was stored', async () => {
    const path = `/applications/${application.id}`;
    const token = { token: user.token };
    const { body: file } = await test.client.post(`${path}/files`, { name: 'a', type: 'file' }, token);
    const upload = (text: string, hasEffects: boolean, effectId = 'effect') =>
      effects()
        .filesOf({ run, hasEffects })
        .upload({ ...actor, effectId }, false, file.id, { content: Buffer.from(text), contentType: '' }, {});
    const read = async () => {
      const { result } = (await effects()
        .filesOf({ run, hasEffects: true })
        .read(actor, false, file.id)) as any;
      return String(result);
    };
    const first = await upload('one', false);
    expect(first).toMatchObject({ result: { id: file.id, fileSize: 3 } });
    expect(await upload('two', false)).toEqual(first);
    expect(await upload('three', true)).toEqual(first);
    expect(await read()).toBe('one');
    expect(await upload('two', false, 'other')).toMatchObject({ result: { fileSize: 3 } });
    expect(await read()).toBe('two');
    await removeWaitingRuns(test);
    await expect(upload('last', false, 'late')).rejects.toThrow('finished by another engine');
    expect(await read()).toBe('two');
    // Content without a file is removed when it expires.
    const blobs = await test.dataSource.query('SELECT key FROM temporary_blobs WHERE key LIKE $1', [
      `files/${application.id}/%`,
    ]);
    expect(blobs.length).toBeGreaterThan(0);
  });

  it('with a secret in the result are stored encrypted', async () => {
    const create = (hasEffects: boolean): Promise<any> =>
      effects().apiOf({ run, hasEffects }).call(actor, 'applicationKeys.post', {}, { name: 'Pumps' });
    const first = await create(false);
    const { secret } = first.result;
    expect(secret).toEqual(expect.any(String));
    for (const hasEffects of [false, true]) expect(await create(hasEffects)).toEqual(first);
    const rows = await test.dataSource.query('SELECT result FROM run_effects WHERE seq = $1', [run.seq]);
    expect(rows).toHaveLength(1);
    expect(rows[0].result).not.toContain(secret);
    expect(rows[0].result).not.toContain('Pumps');
  });

  it('that start workflows start them once, after the commit', async () => {
    const listening = await makeFlow(test, user.token, application.id, {
      triggers: [{ type: 'event', key: 'any', outputIds: [['count']] }],
      nodes: [
        {
          id: 'count',
          type: 'StoreValueNode',
          config: { keyName: 'n', valueType: 'incr', value: 1 },
          outputIds: [[]],
        },
      ],
    });
    const create = (effectId: string) =>
      effects()
        .apiOf({ run, hasEffects: false })
        .call({ ...actor, effectId }, 'events.post', {}, { level: 'info', subject: 'Hot' });
    for (const effectId of ['a', 'a', 'b']) await create(effectId);
    const path = `/applications/${application.id}/flows/${listening.id}`;
    const logs = async () => (await test.client.get(`${path}/logs?limit=9`, { token: user.token })).body;
    await waitUntil(async () => (await logs()).length === 2);
    expect((await test.client.get(`${path}/storage`, { token: user.token })).body).toEqual({ n: 2 });
  });
});

describe('A run that is begun again', () => {
  // Before the processes are stopped, which wait for their runs.
  afterEach(() => {
    for (const release of releases.splice(0)) release();
  });
  const started = freshPlatform();

  /** The engine dies after all effects, or while it creates the event. */
  const deaths: [string, number, (engine: TestApp) => unknown][] = [
    [
      'after its effects',
      5,
      ({ app }) => {
        const executor = app.get(RunExecutor, { strict: false });
        return jest.spyOn(executor, 'execute').mockImplementation(async (run, facts) => {
          await RunExecutor.prototype.execute.call(executor, run, facts);
          return never<Executed>();
        });
      },
    ],
    [
      'between its effects',
      3,
      ({ app }) => {
        const calls = app.get(WorkflowCalls, { strict: false });
        return jest
          .spyOn(calls, 'call')
          .mockImplementation((...given) =>
            given[1] === 'events.post' ? never() : WorkflowCalls.prototype.call.apply(calls, given),
          );
      },
    ],
  ];

  it.each(deaths)(
    'because an engine died %s repeats none of them',
    async (_, before, die) => {
      const api = await started('api,worker');
      const { token } = await makeUser(api);
      const { id } = await makeApplication(api, token);
      const path = `/applications/${id}`;
      const post = async (to: string, body: object) =>
        (await api.client.post(path + to, body, { token })).body;
      const get = async (from: string) => (await api.client.get(path + from, { token })).body;
      const table = await post('/data-tables', { name: 'Readings', columns: COLUMNS });
      const device = await post('/devices', {
        name: 'Pump',
        attributes: [{ name: 'n', dataType: 'string' }],
      });
      const nodes: [string, string, object][] = [
        [
          'row',
          'DataTableInsertRowNode',
          {
            dataTableIdTemplate: table.id,
            rowFields: [{ columnTemplate: 'n', valueTemplate: 'hot' }],
            resultPath: 'data.row',
          },
        ],
        ['count', 'StoreValueNode', { keyName: 'count', valueType: 'incr', value: 1 }],
        [
          'state',
          'DeviceChangeStateNode',
          {
            deviceId: device.id,
            attrInfos: [{ key: 'n', valueTemplate: '{{data.row.id}}' }],
            timeSourceType: 'now',
          },
        ],
        ['event', 'CreateEventNode', { levelTemplate: 'info', subjectTemplate: '{{data.row.id}}' }],
        ['keep', 'StoreValueNode', { keyName: 'row', valueType: 'template', value: '{{data.row.id}}' }],
      ];
      const flow = await post('/flows', {
        name: 'Watch',
        triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['row']] }],
        nodes: nodes.map(([id, type, config], i) => ({
          id,
          type,
          config,
          outputIds: [nodes[i + 1] ? [nodes[i + 1]![0]] : []],
        })),
      });
      const engine = await started('engine');
      die(engine);
      expect(await post(`/flows/${flow.id}/virtualButton`, { key: 'go', payload: {} })).toEqual({
        success: true,
      });
      const effects = async () => (await api.dataSource.query('SELECT FROM run_effects')).length;
      await waitUntil(async () => (await effects()) === before);
      await engine.app.get(Engine, { strict: false }).drain(0);
      await api.dataSource.query('UPDATE lane_leases SET until = now()');
      await started('engine');
      await waitUntil(async () => (await get(`/flows/${flow.id}/logs?limit=9`)).length === 1);
      const { items } = await get(`/data-tables/${table.id}/rows`);
      expect(items).toHaveLength(1);
      expect(await get(`/flows/${flow.id}/storage`)).toEqual({ count: 1, row: items[0].id });
      expect((await get('/events')).items.map(({ subject }: any) => subject)).toEqual([items[0].id]);
      const points = await api.dataSource.query('SELECT text FROM device_points WHERE device_id = $1', [
        device.id,
      ]);
      expect(points).toEqual([{ text: items[0].id }]);
      expect(await effects()).toBe(0);
    },
    120_000,
  );
});
