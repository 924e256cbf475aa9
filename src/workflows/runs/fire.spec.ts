import type { Database, Statement, Transaction } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row-shape.js';
import * as causes from './causes.js';
import { columnsOf, type Cause } from './cause.js';
import { Firings } from './fire.js';

const DECLARED = Object.entries(causes).flatMap(([name, value]): [string, Cause][] =>
  typeof value === 'object' ? [[name, value]] : [],
);
const firing = { applicationId: 'a', triggers: [{ type: 'webhook', key: 'k' }] };
const COUNTED = { given: '{"data":1}', channel: 'public.rest', bytes: 1 } as const;

/** Returns the firings of a test, and the statements that each part of the database executes. */
function firings(fault?: Error) {
  const sent: [runner: string, statement: Statement][] = [];
  const runner =
    (name: string) =>
    async (statement: Statement): Promise<Row[]> => {
      sent.push([name, statement]);
      if (fault) throw fault;
      return [['id']];
    };
  const database = { run: runner('run'), write: runner('write') } as unknown as Database;
  const transaction = { run: runner('transaction') } as unknown as Transaction;
  return { firings: new Firings(database), transaction, sent, runners: () => sent.map(([name]) => name) };
}

describe('A cause', () => {
  it.each(DECLARED)('%s has statements with a parameter for each value', (_, cause) => {
    const { triggerCount, text, singleText } = cause;
    const { triggers, items } = columnsOf(cause);
    const [ofTriggers, ofItems] = [Object.keys(triggers).length, Object.keys(items).length];
    const parameters = (sql: string) => new Set(sql.match(/\$\d+/g)).size;
    expect(parameters(text)).toBe(2 + ofTriggers + ofItems);
    const count = triggerCount === 'any' ? 1 : triggerCount;
    expect(singleText && parameters(singleText)).toBe(count && 2 + ofTriggers * count + ofItems);
  });
});

describe('Firings', () => {
  it('passes scalars for a single firing with one item and its number of triggers', async () => {
    const { firings: all, sent } = firings();
    await all.fire(causes.WEBHOOK_REQUEST, [{ ...firing, items: [COUNTED] }]);
    expect(sent[0]![1].values).toEqual([
      ...[expect.any(String), expect.any(Date)],
      ...[0, 'a', 'default', 'webhook', 'k'],
      ...[0, 'a', null, COUNTED.given, 'public.rest', 1],
    ]);
  });

  it('passes arrays for any number of firings, and splits them at a thousand items', async () => {
    const { firings: all, sent } = firings();
    const items = Array.from({ length: 400 }, () => ({ given: '{"data":1}' }));
    await all.fire(causes.DEVICE_CONNECTION, Array(3).fill({ ...firing, deviceId: 'd', items }));
    expect(sent.map(([, { values }]) => (values[8] as unknown[]).length)).toEqual([800, 400]);
    expect(sent[0]![1].values.slice(2, 4)).toEqual([
      [0, 1],
      ['a', 'a'],
    ]);
    expect(sent[0]![1].text).toBe(sent[1]![1].text);
  });

  it('stores runs of a cause in its transaction, and requires one', async () => {
    const { firings: all, transaction, runners } = firings();
    const changed = [
      { ...firing, triggers: [{ ...firing.triggers[0]!, change: 'insert' }], items: [COUNTED] },
    ];
    await all.fire(causes.ROW_CHANGE, changed, transaction);
    expect(runners()).toEqual(['transaction']);
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
    expect(runners()).toEqual(['run']);
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
});
