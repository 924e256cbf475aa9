import type { Site } from '../../faults/engine/site.js';
import { verdict } from '../../faults/engine/verdict.js';

const SITE = {
  cause: 'webhook',
  applicationId: 'application',
  flowId: 'flow',
  tableId: '0'.repeat(24),
  deviceId: 'device',
  acknowledged: 5,
  unknown: 1,
} as Site;

/** What the statements of `verdict` find. */
interface There {
  completed?: number;
  failed?: number;
  left?: number;
  reasons?: string[];
  /** Number, and number of different keys. */
  rows?: [number, number];
  events?: [number, number];
  reported?: number;
  stored?: number;
}

async function found(there: There): Promise<{ wrong: string[]; found: object }> {
  const { completed = 5, failed = 0, left = 0, reasons = [], reported = 5, stored = 5 } = there;
  const answers: [string, unknown[][]][] = [
    ['jsonb_array_elements', reasons.map((reason) => [reason])],
    ['run_inbox', [[completed, failed, left]]],
    ['flow_storage', [[stored]]],
    ['payload_deltas', [['device', reported]]],
    ['FROM events', [there.events ?? [5, 5]]],
    ['FROM data_tables', [there.rows ?? [5, 5]]],
  ];
  const wrong: string[] = [];
  const rows = async (sql: string) =>
    answers.find(([part]) => sql.includes(part))![1].map((row) => row.map(String));
  const all = await verdict(rows, [SITE], (sentence) => wrong.push(sentence));
  const odd = all.filter(({ lost, doubled }) => lost || doubled);
  return {
    wrong,
    found: Object.fromEntries(odd.map(({ kind, lost, doubled }) => [kind, [lost, doubled]])),
  };
}

describe('The verdict about runs after faults', () => {
  it.each<[string, There]>([
    ['every run and effect exists once', {}],
    [
      'a request without an answer had a run',
      { completed: 6, rows: [6, 6], events: [6, 6], reported: 6, stored: 6 },
    ],
    ['a run that failed had some of its effects', { failed: 1, rows: [6, 6], stored: 6 }],
  ])('reports nothing if %s', async (_, there) => {
    expect(await found(there)).toEqual({ wrong: [], found: {} });
  });

  it.each<[string, There, object]>([
    [
      'a lost run',
      { completed: 4, rows: [4, 4], events: [4, 4], reported: 4, stored: 4 },
      { 'runs of a webhook': [1, 0] },
    ],
    [
      'a run too many',
      { completed: 7, rows: [7, 7], events: [7, 7], reported: 7, stored: 7 },
      { 'runs of a webhook': [0, 1] },
    ],
    ['a repeated row', { rows: [6, 5] }, { 'rows inserted': [0, 1] }],
    ['a lost event', { events: [4, 4] }, { 'events created': [1, 0] }],
    ['a repeated state', { reported: 6 }, { 'states reported': [0, 1] }],
    ['a lost addition', { stored: 3 }, { 'additions to storage': [2, 0] }],
    ['a repeated addition', { failed: 1, stored: 7 }, { 'additions to storage': [0, 1] }],
  ])('reports %s', async (_, there, expected) => {
    expect((await found(there)).found).toEqual(expected);
  });

  it('names runs that did not end, and reasons of failures other than interruptions', async () => {
    const { wrong } = await found({ completed: 4, left: 1, reasons: ['No'] });
    expect(wrong).toEqual(['1 runs of the webhook did not end', 'A run of the webhook failed: No']);
  });
});
