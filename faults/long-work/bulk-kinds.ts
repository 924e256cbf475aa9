import type { Answer } from '../client.js';
import type { RequestedJob, Effect, JobKind, OutcomeListener } from './requested-job.js';
import type { Field } from './field.js';

const DEVICES = 260;
const QUERY = { $or: [{ deviceClass: 'standalone' }, { deviceClass: 'system' }] };
const TAG = { key: 'site', value: 'north' };

type BulkOutcome = { email: string; callbackUrl: string };

/** An operation on all devices of an application. */
interface Act {
  name: string;
  /** SQL that brings the devices into the initial state. */
  prepare?: string;
  /** SQL condition that holds for devices that have been processed. */
  done: string;
  ask(path: string, told: BulkOutcome, field: Field): Promise<Answer>;
}

const ACTS: readonly Act[] = [
  {
    name: 'update of devices',
    done: `tags @> '[${JSON.stringify(TAG)}]'`,
    ask: (path, told, { client }) =>
      client.send('PATCH', path, {
        query: QUERY,
        updateOperations: [{ operation: 'set', target: 'tag', value: TAG }],
        ...told,
      }),
  },
  {
    name: 'deletion of devices',
    done: 'deleted_at IS NOT NULL',
    ask: (path, told, { client }) => client.send('POST', `${path}/delete`, { query: QUERY, ...told }),
  },
  {
    name: 'restoration of devices',
    prepare: 'UPDATE devices SET deleted_at = now() WHERE application_id = $1',
    done: 'deleted_at IS NULL',
    ask: (path, told, { client }) => client.send('POST', `${path}/restore`, { query: QUERY, ...told }),
  },
];

/** Bulk operations on devices: each device must be changed once and have exactly one audit log entry. */
export const bulkKinds = (field: Field, listening: OutcomeListener): JobKind[] =>
  ACTS.map((act) => ({ name: act.name, ask: () => ask(act, field, listening) }));

async function ask(
  { name, prepare, done, ask }: Act,
  field: Field,
  listening: OutcomeListener,
): Promise<RequestedJob> {
  const orgId = await field.organization();
  const id = await field.application(orgId);
  await field.addDevices(id, DEVICES);
  if (prepare) await field.rows(prepare, [id]);
  const path = `/applications/${id}/devices`;
  const asked = await listening.ask((told) => ask(path, told, field));
  return { kind: name, ...asked, effect: () => effectOf(field, orgId, id, done) };
}

async function effectOf(field: Field, orgId: string, id: string, done: string): Promise<Effect> {
  const [[devices] = []] = await field.rows(
    `SELECT count(*) FROM devices WHERE application_id = $1 AND ${done}`,
    [id],
  );
  const [[entries, told] = []] = await field.rows(
    `SELECT count(*), count(DISTINCT secondary_target_id) FROM audit_logs
     WHERE org_id = $1 AND secondary_target_type = 'Device'`,
    [orgId],
  );
  if (devices !== entries || entries !== told)
    return { whole: 0, odd: `${devices} devices with ${entries} entries of ${told}` };
  const count = Number(devices);
  return { whole: count === DEVICES ? 1 : 0, isPart: count > 0 && count < DEVICES };
}
