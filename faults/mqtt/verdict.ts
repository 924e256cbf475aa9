import type { Fault } from '../injector.js';
import { rowsTable } from '../../src/modules/data/data-tables/table-columns.js';
import { EXPECTED } from '../engine/verdict.js';
import type { Stage } from '../stage.js';
import { PAYLOADS, type Found } from '../verdict.js';
import type { DeviceLedger, SentCommand } from './ledger.js';

/** Time in which a hung broker passes on what it has received before. */
const DELIVERY_MS = 5_000;
/** Time in which processes connect to Redis and subscribe again. */
const REDIS_MS = 5_000;
/** Time after a response in which an API process sends what it has responded to. */
const SENDING_MS = 100;
/** Faults that are named with a lost command. */
const NEAR_MS = 15_000;

/** Faults under which a command may be lost. */
export interface CommandFaults {
  readonly redis: readonly Fault[];
  readonly api: readonly Fault[];
  readonly brokers: readonly Fault[];
}

/**
 * Compares reports with points, payloads and runs, and commands with those that devices received. Reports were sent at
 * least once, and MQTT does not tell repetitions from others, so workflows may run as often as they were sent.
 */
export async function verdict(
  rows: Stage['rows'],
  devices: readonly DeviceLedger[],
  faults: CommandFaults,
  wrong: (sentence: string) => void,
): Promise<Found[]> {
  const points = await rows(`SELECT device_id || ' ' || number::int, count(*) FROM device_points GROUP BY 1`);
  const runs = await rows(
    'SELECT flow_id, count(*) FROM (SELECT flow_id FROM flow_runs UNION ALL SELECT flow_id FROM run_inbox) r GROUP BY 1',
  );
  return [
    pointsOf(devices, points),
    countsOf('states counted', devices, await rows(PAYLOADS), ({ deviceId }) => deviceId),
    countsOf('runs of workflows', devices, runs, ({ flowId }) => flowId),
    await insertedBy(rows, devices, wrong),
    commandsOf(devices, faults, wrong),
  ];
}

/** A report is stored once, however often it was sent. */
function pointsOf(devices: readonly DeviceLedger[], rows: readonly string[][]): Found {
  const counts = new Map(rows.map(([report, count]) => [report, Number(count)]));
  const found: Found = { kind: 'states stored', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const { deviceId, sent, acknowledged } of devices)
    for (const n of sent.keys()) {
      const count = counts.get(`${deviceId} ${n}`) ?? 0;
      const isAcknowledged = acknowledged.has(n);
      found[isAcknowledged ? 'acknowledged' : 'unknown']++;
      if (isAcknowledged && count === 0) found.lost++;
      found.doubled += Math.max(0, count - 1);
    }
  return found;
}

/**
 * A run inserts the number of its report, so each acknowledged one is inserted at least once, and none more often than it
 * was sent. A run that was interrupted too often, or took too long, may have inserted nothing; other failures are passed to `wrong`.
 */
async function insertedBy(
  rows: Stage['rows'],
  devices: readonly DeviceLedger[],
  wrong: (sentence: string) => void,
): Promise<Found> {
  const failures = await rows(
    `SELECT flow_id, error #>> '{error,message}', count(*) FROM flow_runs, jsonb_array_elements(errors) error
     WHERE paths_failed > 0 GROUP BY 1, 2`,
  );
  for (const [flowId, reason, count] of failures)
    if (!EXPECTED.includes(reason!)) wrong(`${count} runs of the workflow ${flowId} failed: ${reason}`);
  const found: Found = { kind: 'rows inserted', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const { acknowledged, flowId, sent, tableId } of devices) {
    const inserted = await rows(
      `SELECT value, count(*) FROM ${rowsTable(tableId)} t,
         jsonb_each_text(to_jsonb(t) - 'id' - 'created_at' - 'updated_at') GROUP BY 1`,
    );
    const counts = new Map(inserted.map(([n, count]) => [Number(n), Number(count)]));
    const failed = failures.filter(([id, reason]) => id === flowId && EXPECTED.includes(reason!));
    const missing = [...acknowledged].filter((n) => !counts.has(n)).length;
    found.acknowledged += acknowledged.size;
    found.unknown += sent.size - acknowledged.size;
    found.lost += Math.max(0, missing - failed.reduce((sum, [, , count]) => sum + Number(count), 0));
    for (const [n, count] of counts) found.doubled += Math.max(0, count - (sent.get(n) ?? 0));
  }
  return found;
}

/** Something happens at least once for each acknowledged report, and at most as often as reports were sent. */
function countsOf(
  kind: string,
  devices: readonly DeviceLedger[],
  rows: readonly string[][],
  keyOf: (device: DeviceLedger) => string,
): Found {
  const counts = new Map(rows.map(([key, count]) => [key, Number(count)]));
  const found: Found = { kind, acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const device of devices) {
    const { acknowledged, sent } = device;
    const count = counts.get(keyOf(device)) ?? 0;
    const times = [...sent.values()].reduce((sum, n) => sum + n, 0);
    found.acknowledged += acknowledged.size;
    found.unknown += times - acknowledged.size;
    found.lost += Math.max(0, acknowledged.size - count);
    found.doubled += Math.max(0, count - times);
  }
  return found;
}

/**
 * A device receives a command at most once. It receives it for sure if it was connected all the time until the command
 * must have arrived, and nothing happened to the processes that pass it on. Passes a sentence for each lost one to `wrong`.
 */
function commandsOf(
  devices: readonly DeviceLedger[],
  faults: CommandFaults,
  wrong: (sentence: string) => void,
): Found {
  const found: Found = { kind: 'commands', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  const relevant = { api: faults.api, redis: outagesOf(faults) };
  for (const device of devices)
    for (const command of device.commands) {
      const count = device.received.get(command.name) ?? 0;
      const isCertain =
        command.outcome === 'done' && isPresent(device, command) && isPassed(command, relevant);
      found[isCertain ? 'acknowledged' : 'unknown']++;
      if (isCertain && count === 0) {
        found.lost++;
        wrong(`A command was lost. ${surroundings(command, faults)}`);
      }
      found.doubled += Math.max(0, count - (command.outcome === 'refused' ? 0 : 1));
    }
  return found;
}

const isPresent = ({ presences }: DeviceLedger, { sent, answered }: SentCommand): boolean =>
  presences.some(({ from, to }) => from < sent && to > answered + DELIVERY_MS);

const isPassed = (
  { sent, answered }: SentCommand,
  { redis, api }: Pick<CommandFaults, 'api' | 'redis'>,
): boolean =>
  !redis.some(({ from, to }) => from < answered + SENDING_MS && to + REDIS_MS > sent) &&
  !api.some(({ from, to }) => from < answered + SENDING_MS && to > sent);

/** Faults of Redis, each until the processes that hung meanwhile can notice that their connections are lost. */
const outagesOf = ({ redis, api, brokers }: CommandFaults): Fault[] =>
  redis.map(({ from, to }) => {
    const hung = [...api, ...brokers].filter((fault) => fault.from < to + REDIS_MS && fault.to > from);
    return { from, to: Math.max(to, ...hung.map((fault) => fault.to)) };
  });

/** Names the faults shortly before and after a command. */
function surroundings({ sent, answered }: SentCommand, faults: CommandFaults): string {
  const near = Object.entries(faults).flatMap(([kind, some]: [string, readonly Fault[]]) =>
    some
      .filter(({ from, to }) => from < answered + NEAR_MS && to > sent - NEAR_MS)
      .map(({ from, to }) => `${kind} from ${from - sent} to ${to - sent} ms`),
  );
  return `Answered after ${answered - sent} ms, with faults of ${near.join(', ') || 'nothing'}`;
}
