import { Ledger } from '../../faults/ledger.js';
import { verdict, type Found } from '../../faults/verdict.js';

/** Rows that `verdict` reads: ID, name and description of applications; workflow and number of runs. */
interface There {
  applications?: string[][];
  runs?: string[][];
  /** Device and value of each point. */
  points?: string[][];
  /** Device and number of payloads. */
  payloads?: string[][];
  mails?: Record<string, string[]>;
}

async function found(told: (ledger: Ledger) => void, there: There): Promise<Partial<Found>[]> {
  const ledger = new Ledger();
  told(ledger);
  const { applications = [], runs = [], points = [], payloads = [], mails = {} } = there;
  const tables = { flow_runs: runs, device_points: points, payload_deltas: payloads };
  const remains = {
    rows: async (sql: string) =>
      Object.entries(tables).find(([table]) => sql.includes(table))?.[1] ?? applications,
    mailbox: { of: (address: string) => mails[address] ?? [] },
  };
  const all = await verdict(remains, ledger);
  return all
    .filter(({ lost, doubled }) => lost || doubled)
    .map(({ kind, lost, doubled }) => ({ kind, lost, doubled }));
}

describe('The verdict after faults', () => {
  it('reports nothing if everything exists once, and unknown outcomes at most once', async () => {
    const told = (ledger: Ledger) => {
      ledger.creations.push({ name: 'a', outcome: 'done', id: '1' }, { name: 'b', outcome: 'unknown' });
      ledger.creations.push({ name: 'c', outcome: 'done', id: '3' }, { name: 'd', outcome: 'unknown' });
      ledger.deletions.push({ name: 'c', outcome: 'done', id: '3' });
      ledger.changes.push({ id: '1', acknowledged: 2, last: 'x', unknown: new Set(['y']) });
      ledger.webhooks.push({ flowId: 'f', acknowledged: 2, unknown: 1 });
      ledger.invitations.push({ name: 'e', outcome: 'done' }, { name: 'g', outcome: 'unknown' });
      ledger.reports.push({ deviceId: 'd', acknowledged: [1, 3], unknown: [2] });
    };
    const mails = { e: ['m', 'm'] };
    for (const description of ['x', 'y'])
      for (const runs of ['2', '3'])
        expect(
          await found(told, {
            applications: [
              ['1', 'a', description],
              ['4', 'd'],
            ],
            runs: [['f', runs]],
            points: [['d', '1'], ...(runs === '3' ? [['d', '2']] : []), ['d', '3']],
            payloads: [['d', runs]],
            mails,
          }),
        ).toEqual([]);
  });

  it.each<[string, (ledger: Ledger) => void, There, Partial<Found>]>([
    [
      'an application that is not there',
      ({ creations }) => creations.push({ name: 'a', outcome: 'done', id: '1' }),
      {},
      { kind: 'applications made', lost: 1, doubled: 0 },
    ],
    [
      'an application that is there twice',
      ({ creations }) => creations.push({ name: 'a', outcome: 'unknown' }),
      {
        applications: [
          ['1', 'a'],
          ['2', 'a'],
        ],
      },
      { kind: 'applications made', lost: 0, doubled: 1 },
    ],
    [
      'one that was deleted and is there',
      ({ deletions }) => deletions.push({ name: 'a', outcome: 'done', id: '1' }),
      { applications: [['1', 'a']] },
      { kind: 'applications deleted', lost: 1, doubled: 0 },
    ],
    [
      'an earlier text',
      ({ changes }) => changes.push({ id: '1', acknowledged: 2, last: 'x', unknown: new Set('y') }),
      { applications: [['1', 'a', 'w']] },
      { kind: 'changes of one text', lost: 1, doubled: 0 },
    ],
    [
      'too few runs',
      ({ webhooks }) => webhooks.push({ flowId: 'f', acknowledged: 2, unknown: 1 }),
      { runs: [['f', '1']] },
      { kind: 'webhooks received', lost: 1, doubled: 0 },
    ],
    [
      'too many runs',
      ({ webhooks }) => webhooks.push({ flowId: 'f', acknowledged: 2, unknown: 1 }),
      { runs: [['f', '4']] },
      { kind: 'webhooks received', lost: 0, doubled: 1 },
    ],
    [
      'a mail that did not come',
      ({ invitations }) => invitations.push({ name: 'e', outcome: 'done' }),
      {},
      { kind: 'invitations mailed', lost: 1, doubled: 0 },
    ],
    [
      'a mail that came as two',
      ({ invitations }) => invitations.push({ name: 'e', outcome: 'done' }),
      { mails: { e: ['m', 'n'] } },
      { kind: 'invitations mailed', lost: 0, doubled: 1 },
    ],
    [
      'a state that is not there',
      ({ reports }) => reports.push({ deviceId: 'd', acknowledged: [1, 2], unknown: [] }),
      { points: [['d', '2']], payloads: [['d', '2']] },
      { kind: 'states reported', lost: 1, doubled: 0 },
    ],
    [
      'a state that is there twice',
      ({ reports }) => reports.push({ deviceId: 'd', acknowledged: [1], unknown: [] }),
      {
        points: [
          ['d', '1'],
          ['d', '1'],
        ],
        payloads: [['d', '1']],
      },
      { kind: 'states reported', lost: 0, doubled: 1 },
    ],
    [
      'a state that was counted twice',
      ({ reports }) => reports.push({ deviceId: 'd', acknowledged: [1], unknown: [] }),
      { points: [['d', '1']], payloads: [['d', '2']] },
      { kind: 'states counted', lost: 0, doubled: 1 },
    ],
  ])('reports %s', async (_what, told, there, expected) => {
    expect(await found(told, there)).toEqual([expected]);
  });
});
