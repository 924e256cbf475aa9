import { countedRows } from '../src/counted-rows.js';
import { entities } from '../src/entities.js';
import { verifyCounts } from '../src/platform/counts/verify-counts.js';
import { createDataSource } from '../src/platform/database/data-source.js';
import type { Asked, Ledger, Outcome } from './ledger.js';
import type { Mailbox } from './mailbox.js';
import type { Stage } from './stage.js';

/** What became of one kind of request. */
export interface Found {
  kind: string;
  acknowledged: number;
  /** No answer, or one that does not say whether it was done. */
  unknown: number;
  lost: number;
  doubled: number;
}

/** What a run leaves. */
export interface Remains {
  rows: Stage['rows'];
  mailbox: Pick<Mailbox, 'of'>;
}

/** Compares what callers were told with what is there. */
export async function verdict(stage: Remains, ledger: Ledger): Promise<Found[]> {
  const applications = await stage.rows('SELECT id, name, description, deleted_at FROM applications');
  const runs = await stage.rows('SELECT flow_id, count(*) FROM flow_runs GROUP BY 1');
  return [
    creations(ledger, applications),
    deletions(ledger, applications),
    changes(ledger, applications),
    webhooks(ledger, runs),
    invitations(ledger, stage),
  ];
}

const counted = <T>(items: readonly T[], is: (item: T) => boolean): number => items.filter(is).length;
const having = (asked: readonly Asked[], outcome: Outcome): number =>
  counted(asked, (one) => one.outcome === outcome);

/** A name is there as often as it was asked for, at most, and under the id that was answered. */
function creations(ledger: Ledger, rows: string[][]): Found {
  const deleted = new Set(ledger.deletions.map(({ id }) => id));
  const ids = new Map<string, string[]>();
  for (const [id, name] of rows) ids.set(name!, [...(ids.get(name!) ?? []), id!]);
  const of = ({ name }: Asked) => ids.get(name) ?? [];
  const { creations } = ledger;
  return {
    kind: 'applications made',
    acknowledged: having(creations, 'done'),
    unknown: having(creations, 'unknown'),
    lost: counted(
      creations,
      (one) => one.outcome === 'done' && !deleted.has(one.id) && !of(one).includes(one.id!),
    ),
    doubled: counted(creations, (one) => of(one).length > (one.outcome === 'refused' ? 0 : 1)),
  };
}

/** What is deleted is gone, row and all. */
function deletions(ledger: Ledger, rows: string[][]): Found {
  const present = new Set(rows.map(([id]) => id));
  const { deletions } = ledger;
  return {
    kind: 'applications deleted',
    acknowledged: having(deletions, 'done'),
    unknown: having(deletions, 'unknown'),
    lost: counted(deletions, ({ outcome, id }) => outcome === 'done' && present.has(id)),
    doubled: 0,
  };
}

/** What stands there is the last value that was acknowledged, or one of which nobody knows. */
function changes(ledger: Ledger, rows: string[][]): Found {
  const now = new Map(rows.map(([id, , description]) => [id, description ?? '']));
  const { changes } = ledger;
  return {
    kind: 'changes of one text',
    acknowledged: changes.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    unknown: changes.reduce((sum, { unknown }) => sum + unknown.size, 0),
    lost: counted(changes, ({ id, last, unknown }) => {
      const value = now.get(id);
      return value === undefined || (value !== last && !unknown.has(value));
    }),
    doubled: 0,
  };
}

/** A workflow has a run for each receipt. */
function webhooks(ledger: Ledger, rows: string[][]): Found {
  const runs = new Map(rows.map(([flowId, count]) => [flowId, Number(count)]));
  const found: Found = { kind: 'webhooks received', acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
  for (const { flowId, acknowledged, unknown } of ledger.webhooks) {
    const there = runs.get(flowId) ?? 0;
    found.acknowledged += acknowledged;
    found.unknown += unknown;
    found.lost += Math.max(0, acknowledged - there);
    found.doubled += Math.max(0, there - acknowledged - unknown);
  }
  return found;
}

/** An invitation is one mail. SMTP leaves open whether one arrived: one that came again has the same `Message-ID`. */
function invitations({ invitations }: Ledger, { mailbox }: Remains): Found {
  const mails = ({ name }: Asked) => new Set(mailbox.of(name)).size;
  return {
    kind: 'invitations mailed',
    acknowledged: having(invitations, 'done'),
    unknown: having(invitations, 'unknown'),
    lost: counted(invitations, (one) => one.outcome === 'done' && mails(one) === 0),
    doubled: counted(invitations, (one) => mails(one) > (one.outcome === 'refused' ? 0 : 1)),
  };
}

/** What is wrong with jobs and with counts that are kept, a sentence each. */
export async function aftermath(stage: Stage): Promise<string[]> {
  const left = await stage.settle();
  const failed = await stage.rows(
    `SELECT name, count(*) FROM jobs WHERE status IN ('failed', 'errored') GROUP BY 1`,
  );
  const dataSource = await createDataSource({ url: stage.databaseUrl, entities }).initialize();
  const differences = await verifyCounts(dataSource, countedRows, { mend: false });
  await dataSource.destroy();
  return [
    ...(left ? [`Jobs that do not end: ${left}`] : []),
    ...failed.map(([name, count]) => `Jobs ${name} that failed: ${count}`),
    ...differences.map(
      ({ holderId, kind, counted, kept }) => `${kind} of ${holderId}: ${kept}, not ${counted}`,
    ),
  ];
}
