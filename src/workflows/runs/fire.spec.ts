import type { Database, Statement, Transaction } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row-shape.js';
import * as causes from './causes.js';
import type { Cause } from './cause.js';
import { columnsOf, droppedColumnsOf } from './cause-declaration.js';
import { DroppedRuns } from './dropped-runs.js';
import { Firings } from './fire.js';
import { Handover, type CommittedRun } from './handover.js';
import type { RunBacklog } from './run-backlog.js';
import type { StoredRunsRepository } from './stored-runs.repository.js';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { laneOf } from './lanes.js';
import type { Streams } from '../../platform/streams/streams.js';

const DECLARED = Object.entries(causes).flatMap(([name, value]): [string, Cause][] =>
  typeof value === 'object' ? [[name, value]] : [],
);
const firing = { applicationId: 'a', triggers: [{ type: 'webhook', key: 'k' }] };
const OWN_LANE = 63;
const COUNTED = { given: '{"data":1}', channel: 'public.rest', bytes: 1 } as const;

/** Returns the firings of a test, and the statements that each part of the database executes. */
function firings(fault?: Error, full: ReadonlySet<string> = new Set(), isStored = false) {
  const sent: [runner: string, statement: Statement][] = [];
  const runner =
    (name: string) =>
    async (statement: Statement): Promise<Row[]> => {
      sent.push([name, statement]);
      if (fault) throw fault;
      return [['0', '7', '12', 'id', 'a', 'f', null, null, null, 'stamp']];
    };
  const database = {
    run: runner('run'),
    write: runner('write'),
    transactionOnce: (work: (transaction: { run: ReturnType<typeof runner> }) => Promise<void>) =>
      work({ run: runner('once') }),
  } as unknown as Database;
  const afterCommit: (() => Promise<unknown>)[] = [];
  const transaction = {
    run: runner('transaction'),
    afterCommit: (action: () => Promise<unknown>) => afterCommit.push(action),
  } as unknown as Transaction;
  const handover = new Handover({} as Streams);
  const handedOver: CommittedRun[] = [];
  handover.register({
    owns: () => true,
    ownLane: () => OWN_LANE,
    take: (runs) => void handedOver.push(...runs),
  });
  const backlog = {
    refuse: () => {
      throw new TooManyRequests(1);
    },
    admits: (id: string) => !full.has(id),
  } as unknown as RunBacklog;
  const dropped = new DroppedRuns(database);
  const stored = { has: async () => isStored } as unknown as StoredRunsRepository;
  const runners = () => sent.map(([name]) => name);
  return {
    firings: new Firings(database, handover, backlog, dropped, stored),
    dropped,
    transaction,
    afterCommit,
    sent,
    runners,
    handedOver,
  };
}

describe('A cause', () => {
  it.each(DECLARED)('%s has statements with a parameter for each value', (_, cause) => {
    const { joined, triggerCount, text, singleText } = cause;
    const { triggers, items } = columnsOf(cause);
    const [ofTriggers, ofItems] = [Object.keys(triggers).length, Object.keys(items).length];
    const parameters = (sql: string) => new Set(sql.match(/\$\d+/g)).size;
    expect(parameters(text)).toBe(2 + ofTriggers + ofItems);
    const count = triggerCount === 'any' ? 1 : triggerCount;
    if (joined) expect(parameters(joined.text)).toBe(2 + Object.keys(joined.columns).length);
    expect(singleText && parameters(singleText)).toBe(
      joined ? undefined : count && 2 + ofTriggers * count + ofItems,
    );
    const dropped = droppedColumnsOf(cause);
    expect(parameters(cause.droppedText)).toBe(1 + ofTriggers + Object.keys(dropped.items).length);
  });
});

describe('Firings', () => {
  it('passes scalars for a single firing with one item and its number of triggers', async () => {
    const { firings: all, sent, transaction } = firings();
    const changed = { ...firing, triggers: [{ ...firing.triggers[0]!, change: 'insert' }] };
    await all.fire(causes.ROW_CHANGE, [{ ...changed, items: [COUNTED] }], transaction);
    expect(sent[0]![1].values).toEqual([
      ...[expect.any(Date), expect.any(String)],
      ...[0, 'a', 'default', 'webhook', 'k', 'insert'],
      ...[0, laneOf('a'), 'a', null, COUNTED.given, 'public.rest', 1],
    ]);
  });

  it('stores the small requests of one turn of the event loop with one statement', async () => {
    const { firings: all, sent } = firings();
    const items = [{ ...COUNTED, endpointId: 'e' }];
    const trigger = { type: 'endpoint', key: 'k', experienceVersion: 'v', flowClass: 'experience' };
    const triggers = [trigger, trigger, trigger, { ...trigger, version: '1.0' }];
    const [ids, none] = await Promise.all(
      ['a', 'b'].map((applicationId) =>
        all.fire(causes.ENDPOINT_REQUEST, [{ applicationId, triggers, items }]),
      ),
    );
    expect([ids, none]).toEqual([['id'], []]);
    expect(sent).toHaveLength(1);
    const { columns } = causes.ENDPOINT_REQUEST.joined!;
    const values = Object.fromEntries(
      Object.keys(columns).map((name, n) => [name, sent[0]![1].values[n + 2]]),
    );
    expect(values).toMatchObject({
      applicationId: ['a', 'b'],
      lane: [laneOf('a'), laneOf('b')],
      given: Array(2).fill('{"type":"endpoint","key":"e","data":1}'),
      version_0: ['default', 'default'],
      version_3: ['1.0', '1.0'],
      flowClass_3: ['experience', 'experience'],
    });
  });

  it('stores a large request with a statement of its own', async () => {
    const { firings: all, sent } = firings();
    const given = JSON.stringify({ data: 'x'.repeat(2_000) });
    await all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, items: [{ ...COUNTED, given }] }]);
    expect(sent[0]![1].text).toBe(causes.WEBHOOK_REQUEST.text);
  });

  it('hands stored runs over to the engine of the process, with what their statement returned', async () => {
    const { firings: all, handedOver } = firings();
    await all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, items: [COUNTED] }]);
    const run = { lane: 7, seq: 12, id: 'id', applicationId: 'a', flowId: 'f', payloadId: null };
    const known = {
      trigger: '{"type":"webhook","key":"k","data":1}',
      stamp: 'stamp',
      readAt: expect.any(Number),
    };
    expect(handedOver).toEqual([
      { ...run, flowVersionId: null, deviceId: null, requestedAt: expect.any(Date), known },
    ]);
  });

  it('triggers nothing while too many runs of the application wait', async () => {
    const { firings: all, sent } = firings(undefined, new Set(['a']));
    const items = [{ given: '{"data":1}' }];
    await all.fire(causes.DEVICE_CONNECTION, [
      { ...firing, items },
      { ...firing, applicationId: 'b', items },
    ]);
    expect(sent[0]![1].values[3]).toEqual(['b']);
    await expect(all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, items: [COUNTED] }])).rejects.toThrow(
      TooManyRequests,
    );
    expect(sent).toHaveLength(1);
  });

  it('counts equal dropped firings together, with one statement for each cause', async () => {
    const { firings: all, dropped, sent, transaction, afterCommit } = firings(undefined, new Set(['a']));
    for (const bytes of [1, 2])
      await expect(
        all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, items: [{ ...COUNTED, bytes }] }]),
      ).rejects.toThrow(TooManyRequests);
    const [changed] = [
      { ...firing, triggers: [{ ...firing.triggers[0]!, change: 'insert' }], items: [COUNTED] },
    ];
    await all.fire(causes.ROW_CHANGE, [changed], transaction);
    await all.fire(causes.ROW_CHANGE, [{ ...changed, items: [COUNTED, COUNTED] }], transaction);
    for (const action of afterCommit) await action();
    const reported = (data: object, time: Date, together = false) => ({
      given: JSON.stringify({ data }),
      time,
      together,
    });
    const [hour, later] = [new Date(0), new Date(59_999)];
    const items = [reported({ b: 1, a: 2 }, hour), reported({ a: 3, b: 4 }, later), reported({ c: 5 }, hour)];
    await all.fire(causes.DEVICE_STATE, [{ ...firing, deviceId: 'd', items }]);
    expect(sent).toEqual([]);
    await dropped.store();
    const values = sent.map(([, statement]) => statement.values.slice(1));
    const [webhook, row, state] = values;
    expect(values).toHaveLength(3);
    // Columns `bytes`, `times` and `firings` of the items.
    expect(webhook!.slice(-3)).toEqual([[3], [2], [2]]);
    expect(row!.slice(-3)).toEqual([[3], [3], [2]]);
    const [given, time, together, ...counts] = state!.slice(-5);
    expect(given).toEqual(['{"data":{"a":0,"b":0}}', '{"data":{"c":0}}']);
    expect([time, together, counts]).toEqual([
      [hour, hour],
      [false, false],
      [
        [2, 1],
        [1, 1],
      ],
    ]);
    await dropped.store();
    expect(sent).toHaveLength(3);
  });

  it('stores runs whose sender waits in a lane of the process', async () => {
    const { firings: all, sent } = firings();
    await all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, isAwaited: true, items: [COUNTED] }]);
    expect(sent[0]![1].values[2]).toEqual([OWN_LANE]);
  });

  it('passes arrays for any number of firings, and splits them at a thousand items', async () => {
    const { firings: all, sent } = firings();
    const items = Array.from({ length: 400 }, () => ({ given: '{"data":1}' }));
    await all.fire(causes.DEVICE_CONNECTION, Array(3).fill({ ...firing, deviceId: 'd', items }));
    expect(sent.map(([, { values }]) => (values[9] as unknown[]).length)).toEqual([800, 400]);
    expect(sent[0]![1].values.slice(2, 4)).toEqual([
      [0, 1],
      ['a', 'a'],
    ]);
    expect(sent[0]![1].text).toBe(sent[1]![1].text);
  });

  it('stores runs of a cause in its transaction, and requires one', async () => {
    const { firings: all, transaction, afterCommit, runners, handedOver } = firings();
    const changed = [
      { ...firing, triggers: [{ ...firing.triggers[0]!, change: 'insert' }], items: [COUNTED] },
    ];
    await all.fire(causes.ROW_CHANGE, changed, transaction);
    expect(runners()).toEqual(['transaction']);
    expect(handedOver).toEqual([]);
    for (const action of afterCommit) await action();
    expect(handedOver).toHaveLength(1);
    // @ts-expect-error The transaction is missing.
    await expect(all.fire(causes.ROW_CHANGE, changed)).rejects.toThrow(TypeError);
    // @ts-expect-error A cause with a widened type may require a transaction.
    await expect(all.fire(causes.ROW_CHANGE as Cause, changed)).rejects.toThrow(TypeError);
    // @ts-expect-error The database is not a transaction.
    const inDatabase = () => all.fire(causes.ROW_CHANGE, changed, new Object() as Database);
    await expect(inDatabase()).rejects.toThrow(TypeError);
  });

  it('returns the IDs of runs only to senders that can wait for them', async () => {
    const { firings: all, transaction, runners } = firings();
    const ids: string[] = await all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, items: [COUNTED] }]);
    expect(ids).toEqual(['id']);
    // @ts-expect-error Other causes return nothing.
    await all.fire(causes.DEVICE_CONNECTION, []).then((none: string[]) => none);
    // @ts-expect-error The runs of a request are not part of a transaction.
    await all.fire(causes.WEBHOOK_REQUEST, [], transaction);
    expect(runners()).toEqual(['write']);
  });

  it('fails the caller after a commit, unless the cause is best-effort', async () => {
    const { firings: all, transaction, runners } = firings(new Error('lost'));
    const items = [{ given: '{"data":1}' }];
    await expect(all.fire(causes.DEVICE_CONNECTION, [{ ...firing, items }])).rejects.toThrow('lost');
    await all.fire(causes.DEVICE_CREATION, [{ ...firing, items }]);
    expect(runners()).toEqual(['write', 'write']);
    // @ts-expect-error The change of such a cause is already committed.
    await all.fire(causes.DEVICE_CREATION, [], transaction);
  });

  it.each([true, false])('fails after a lost connection unless the runs are stored: %s', async (isStored) => {
    const cut = new Error('Connection terminated unexpectedly');
    const { firings: all, runners } = firings(cut, undefined, isStored);
    const fired = all.fire(causes.DEVICE_STATE, [
      { ...firing, items: [{ given: '{"data":1}', time: new Date(), together: false }] },
    ]);
    await (isStored ? expect(fired).resolves.toEqual([]) : expect(fired).rejects.toThrow(cut));
    expect(runners()).toEqual(['write']);
  });
});
