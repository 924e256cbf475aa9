import { EXPECTED } from '../../faults/engine/verdict.js';
import { verdict, type CommandFaults } from '../../faults/mqtt/verdict.js';
import type { SentCommand } from '../../faults/mqtt/ledger.js';

const IDS = { deviceId: 'd', flowId: 'f', tableId: '0'.repeat(24) };
const NO_FAULTS: CommandFaults = { redis: [], api: [], brokers: [] };
const SENT: SentCommand = { name: 'a', outcome: 'done', sent: 100_000, answered: 100_010 };
const ALWAYS = [{ from: 0, to: Infinity }];

/** A device with reports that were sent, and their acknowledgments. */
const deviceOf = (sent: readonly [n: number, times: number][], acknowledged: readonly number[]) => ({
  ...IDS,
  sent: new Map(sent),
  acknowledged: new Set(acknowledged),
  commands: [] as SentCommand[],
  received: new Map<string, number>(),
  presences: ALWAYS,
});

/** Stored rows by the words that their statements contain. */
type Stored = Partial<
  Record<'device_points' | 'run_inbox' | 'paths_failed' | 'data_tables' | 'payload_deltas', string[][]>
>;

/** Returns what the verdict finds as `kind: lost doubled`, and the sentences about failures. */
async function found(
  device: Parameters<typeof verdict>[1][number],
  stored: Stored = {},
  faults = NO_FAULTS,
): Promise<string[]> {
  const rows = async (sql: string) => Object.entries(stored).find(([word]) => sql.includes(word))?.[1] ?? [];
  const wrong: string[] = [];
  const all = await verdict(rows, [device], faults, (sentence) => wrong.push(sentence));
  const differences = all.filter(({ lost, doubled }) => lost || doubled);
  return [...differences.map(({ kind, lost, doubled }) => `${kind}: ${lost} ${doubled}`), ...wrong];
}

describe('The verdict about reports after faults', () => {
  const counted = (count: number) => ({
    payload_deltas: [['d', String(count)]],
    run_inbox: [['f', String(count)]],
  });

  it('is that nothing is wrong if repeated reports are stored once, and processed as often as they were sent', async () => {
    const device = deviceOf(
      [
        [1, 1],
        [2, 3],
        [3, 1],
      ],
      [1, 2],
    );
    expect(
      await found(device, {
        device_points: [
          ['d 1', '1'],
          ['d 2', '1'],
        ],
        data_tables: [
          ['1', '1'],
          ['2', '3'],
        ],
        ...counted(4),
      }),
    ).toEqual([]);
  });

  it('names acknowledged reports that are not stored, counted or processed', async () => {
    expect(await found(deviceOf([[1, 1]], [1]))).toEqual([
      'states stored: 1 0',
      'states counted: 1 0',
      'runs of workflows: 1 0',
      'rows inserted: 1 0',
    ]);
  });

  it('names reports that are stored twice, or processed more often than they were sent', async () => {
    const stored = { device_points: [['d 1', '2']], data_tables: [['1', '3']], ...counted(3) };
    expect(await found(deviceOf([[1, 2]], [1]), stored)).toEqual([
      'states stored: 0 1',
      'states counted: 0 1',
      'runs of workflows: 0 1',
      'rows inserted: 0 1',
    ]);
  });

  it('accepts that an interrupted run has inserted nothing, and names other failures', async () => {
    const stored = { device_points: [['d 1', '1']], ...counted(1) };
    const failed = (reason: string) => ({ ...stored, paths_failed: [['f', reason, '1']] });
    expect(await found(deviceOf([[1, 1]], [1]), failed(EXPECTED[0]!))).toEqual([]);
    expect(await found(deviceOf([[1, 1]], [1]), failed('No room'))).toEqual([
      'rows inserted: 1 0',
      '1 runs of the workflow f failed: No room',
    ]);
  });
});

describe('The verdict about commands after faults', () => {
  const commanded = (received: number, more: object = {}, sent: Partial<SentCommand> = {}) => ({
    ...deviceOf([], []),
    commands: [{ ...SENT, ...sent }],
    received: new Map([[SENT.name, received]]),
    ...more,
  });
  const during = { from: SENT.sent, to: SENT.sent + 5 };
  const before = { from: SENT.sent - 8_000, to: SENT.sent - 7_000 };
  const longer = { from: SENT.sent - 7_500, to: SENT.sent - 4_000 };
  const LOST = 'A command was lost. Answered after 10 ms, with faults of redis from -8000 to -7000 ms';

  it.each<[string, Parameters<typeof verdict>[1][number], CommandFaults, string[]]>([
    ['nothing if a connected device received it', commanded(1), NO_FAULTS, []],
    [
      'a command that a connected device did not receive',
      commanded(0),
      { ...NO_FAULTS, brokers: [during] },
      ['commands: 1 0', 'A command was lost. Answered after 10 ms, with faults of brokers from 0 to 5 ms'],
    ],
    ['a command that a device received twice', commanded(2), NO_FAULTS, ['commands: 0 1']],
    [
      'a refused command that a device received',
      commanded(1, {}, { outcome: 'refused' }),
      NO_FAULTS,
      ['commands: 0 1'],
    ],
    ['nothing if the response is unknown', commanded(0, {}, { outcome: 'unknown' }), NO_FAULTS, []],
    [
      'nothing if the device disconnected',
      commanded(0, { presences: [{ from: 0, to: SENT.sent + 1_000 }] }),
      NO_FAULTS,
      [],
    ],
    ['nothing if Redis was killed', commanded(0), { ...NO_FAULTS, redis: [during] }, []],
    ['nothing if an API process was killed', commanded(0), { ...NO_FAULTS, api: [during] }, []],
    [
      'nothing if a process hung while Redis was killed',
      commanded(0),
      { ...NO_FAULTS, redis: [before], brokers: [longer] },
      [],
    ],
    ['a command after such faults', commanded(0), { ...NO_FAULTS, redis: [before] }, ['commands: 1 0', LOST]],
  ])('reports %s', async (_, device, faults, expected) => {
    expect(await found(device, {}, faults)).toEqual(expected);
  });
});
