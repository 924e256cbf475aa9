import { countedRows, entities } from '../src/families.js';
import { verifyCounts } from '../src/platform/counts/verify-counts.js';
import { HOUR } from '../src/modules/devices/device-state/device-hours.columns.js';
import { createDataSource } from '../src/platform/database/data-source.js';
import type { PendingRequest, Ledger, Outcome } from './ledger.js';
import type { Mailbox } from './mailbox.js';
import type { Stage } from './stage.js';

/** Results of one kind of request. */
export interface Found {
  kind: string;
  acknowledged: number;
  /** Number of requests without a response, or with one that does not show whether the request took effect. */
  unknown: number;
  lost: number;
  doubled: number;
}

/** State that a run leaves behind. */
export interface Remains {
  rows: Stage['rows'];
  mailbox: Pick<Mailbox, 'of'>;
}

/** Counted states of each device, whether aggregated or pending. */
export const PAYLOADS = `SELECT device_id, sum(n) FROM (
    SELECT device_id, n FROM application_payload_sums WHERE type = 'deviceState' AND hours = 1 AND device_id <> ''
    UNION ALL SELECT device_id, n FROM payload_deltas WHERE type = 'deviceState') counted GROUP BY 1`;

/** Compares the responses that callers received with the final state. */
export async function verdict(stage: Remains, ledger: Ledger): Promise<Found[]> {
  const applications = await stage.rows('SELECT id, name, description, deleted_at FROM applications');
  const runs = await stage.rows(
    'SELECT flow_id, count(*) FROM (SELECT flow_id FROM flow_runs UNION ALL SELECT flow_id FROM run_inbox) r GROUP BY 1',
  );
  const points = await stage.rows('SELECT device_id, number FROM device_points');
  const payloads = await stage.rows(PAYLOADS);
  return [
    creations(ledger, applications),
    deletions(ledger, applications),
    changes(ledger, applications),
    webhooks(ledger, runs),
    invitations(ledger, stage),
    reports(ledger, points),
    payloadsOf(ledger, payloads),
  ];
}

const countRows = <T>(items: readonly T[], is: (item: T) => boolean): number => items.filter(is).length;
const findRows = (asked: readonly PendingRequest[], outcome: Outcome): number =>
  countRows(asked, (one) => one.outcome === outcome);

/** A name exists at most as often as it was requested, with the ID from the response. */
function creations(ledger: Ledger, rows: string[][]): Found {
  const deleted = new Set(ledger.deletions.map(({ id }) => id));
  const ids = new Map<string, string[]>();
  for (const [id, name] of rows) ids.set(name!, [...(ids.get(name!) ?? []), id!]);
  const of = ({ name }: PendingRequest) => ids.get(name) ?? [];
  const { creations } = ledger;
  return {
    kind: 'applications made',
    acknowledged: findRows(creations, 'done'),
    unknown: findRows(creations, 'unknown'),
    lost: countRows(
      creations,
      (one) => one.outcome === 'done' && !deleted.has(one.id) && !of(one).includes(one.id!),
    ),
    doubled: countRows(creations, (one) => of(one).length > (one.outcome === 'refused' ? 0 : 1)),
  };
}

/** Rows of deleted resources no longer exist. */
function deletions(ledger: Ledger, rows: string[][]): Found {
  const present = new Set(rows.map(([id]) => id));
  const { deletions } = ledger;
  return {
    kind: 'applications deleted',
    acknowledged: findRows(deletions, 'done'),
    unknown: findRows(deletions, 'unknown'),
    lost: countRows(deletions, ({ outcome, id }) => outcome === 'done' && present.has(id)),
    doubled: 0,
  };
}

/** The stored value is the last acknowledged one, or one with an unknown outcome. */
function changes(ledger: Ledger, rows: string[][]): Found {
  const now = new Map(rows.map(([id, , description]) => [id, description ?? '']));
  const { changes } = ledger;
  return {
    kind: 'changes of one text',
    acknowledged: changes.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    unknown: changes.reduce((sum, { unknown }) => sum + unknown.size, 0),
    lost: countRows(changes, ({ id, last, unknown }) => {
      const value = now.get(id);
      return value === undefined || (value !== last && !unknown.has(value));
    }),
    doubled: 0,
  };
}

/** A workflow has a run for each webhook request. */
function webhooks(ledger: Ledger, rows: string[][]): Found {
  const runs = new Map(rows.map(([flowId, count]) => [flowId, Number(count)]));
  const found: Found = { kind: 'webhooks received', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const { flowId, acknowledged, unknown } of ledger.webhooks)
    addDifference(found, acknowledged, unknown, runs.get(flowId) ?? 0);
  return found;
}

/**
 * Counts lost and duplicated requests: at least the acknowledged ones must exist, and at most the unknown ones in
 * addition.
 */
function addDifference(found: Found, acknowledged: number, unknown: number, there: number): void {
  found.acknowledged += acknowledged;
  found.unknown += unknown;
  found.lost += Math.max(0, acknowledged - there);
  found.doubled += Math.max(0, there - acknowledged - unknown);
}

/** A device has a point for each report. */
function reports(ledger: Ledger, rows: string[][]): Found {
  const points = new Map<string, number[]>();
  for (const [deviceId, number] of rows)
    points.set(deviceId!, [...(points.get(deviceId!) ?? []), Number(number)]);
  const found: Found = { kind: 'states reported', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const { deviceId, acknowledged, unknown } of ledger.reports) {
    const there = points.get(deviceId) ?? [];
    const values = new Set(there);
    found.acknowledged += acknowledged.length;
    found.unknown += unknown.length;
    found.lost += countRows(acknowledged, (n) => !values.has(n));
    found.doubled += there.length - values.size;
  }
  return found;
}

/** Each report is counted once. */
function payloadsOf(ledger: Ledger, rows: string[][]): Found {
  const counts = new Map(rows.map(([deviceId, count]) => [deviceId, Number(count)]));
  const found: Found = { kind: 'states counted', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const { deviceId, acknowledged, unknown } of ledger.reports)
    addDifference(found, acknowledged.length, unknown.length, counts.get(deviceId) ?? 0);
  return found;
}

/**
 * Each invitation sends one mail. SMTP cannot guarantee delivery exactly once, but repeated mails have the same
 * `Message-ID`.
 */
function invitations({ invitations }: Ledger, { mailbox }: Remains): Found {
  const mails = ({ name }: PendingRequest) => new Set(mailbox.of(name)).size;
  return {
    kind: 'invitations mailed',
    acknowledged: findRows(invitations, 'done'),
    unknown: findRows(invitations, 'unknown'),
    lost: countRows(invitations, (one) => one.outcome === 'done' && mails(one) === 0),
    doubled: countRows(invitations, (one) => mails(one) > (one.outcome === 'refused' ? 0 : 1)),
  };
}

/** Device hours that differ from the aggregate of their points. */
const WRONG_HOURS = `SELECT count(*) FROM
  (SELECT device_id, attribute, hour, count, sum, min, max, first_time, last_time FROM device_hours) kept
  FULL JOIN (SELECT device_id, attribute, time - time % ${HOUR} AS hour, count(*), sum(number), min(number), max(number),
    min(time) AS first_time, max(time) AS last_time FROM device_points GROUP BY 1, 2, 3) of_points
  USING (device_id, attribute, hour, count, sum, min, max, first_time, last_time)
  WHERE kept.device_id IS NULL OR of_points.device_id IS NULL`;

/** Returns a sentence for each fault in jobs, stored counts and aggregated hours. */
export async function finalState(stage: Stage): Promise<string[]> {
  const left = await stage.settle();
  const failed = await stage.rows(
    `SELECT name, count(*) FROM jobs WHERE status IN ('failed', 'errored') GROUP BY 1`,
  );
  const dataSource = await createDataSource({ url: stage.databaseUrl, entities }).initialize();
  const differences = await verifyCounts(dataSource, countedRows, { mend: false });
  await dataSource.destroy();
  const [[hoursDue] = []] = await stage.rows('SELECT count(*) FROM device_hours_due');
  const [[wrongHours] = []] = await stage.rows(WRONG_HOURS);
  return [
    ...(hoursDue === '0' ? [] : [`Device hours that are never aggregated: ${hoursDue}`]),
    ...(wrongHours === '0' ? [] : [`Device hours that differ from their points: ${wrongHours}`]),
    ...(left ? [`Jobs that do not end: ${left}`] : []),
    ...failed.map(([name, count]) => `Jobs ${name} that failed: ${count}`),
    ...differences.map(
      ({ holderId, kind, counted, kept }) => `${kind} of ${holderId}: ${kept}, not ${counted}`,
    ),
  ];
}
