/** SQL of the payloads of a holder: its sums, `s`, and recorded deltas that are not yet added, `d`. */
export interface PayloadHolder {
  sums: string;
  deltas: string;
}

const OWNER_SUMS = 'owner_payload_sums s WHERE s.owner_id =';
const PENDING_DELTAS = 'payload_deltas d WHERE';

/** Returns the payloads of an application. `id` is SQL, as in the functions below. */
export const ofApplication = (id: string): PayloadHolder => ({
  sums: `application_payload_sums s WHERE s.application_id = ${id} AND s.device_id = ''`,
  deltas: `${PENDING_DELTAS} d.application_id = ${id}`,
});

export const ofDevice = (applicationId: string, id: string): PayloadHolder => ({
  sums: `application_payload_sums s WHERE s.application_id = ${applicationId} AND s.device_id = ${id}`,
  deltas: `${PENDING_DELTAS} d.application_id = ${applicationId} AND d.device_id = ${id}`,
});

/** Returns the payloads of the applications of a user or organization, assigned to the owner at the time of receipt. */
export const ofOwner = (id: string): PayloadHolder => ({
  sums: `${OWNER_SUMS} ${id}`,
  deltas: `${PENDING_DELTAS} d.owner_id = ${id}`,
});

/** Returns the payloads of all owners in an instance. Scans all pending deltas, which cover about a second. */
export const ofInstance = (id: string): PayloadHolder => ({
  sums: `${OWNER_SUMS} ${id}`,
  deltas: `${PENDING_DELTAS} ${instanceOfOwnerSql('d.owner_id')} = ${id}`,
});

/** Returns SQL of the instance of an owner of applications. */
export const instanceOfOwnerSql = (owner: string): string =>
  `coalesce((SELECT o.instance_id FROM orgs o WHERE o.id = ${owner}), (SELECT u.instance_id FROM users u WHERE u.id = ${owner}))`;

/** SQL of the start of the current billing period, the calendar month in UTC. */
const PERIOD_START = `date_trunc('month', now(), 'UTC')`;

/** Returns SQL of the payloads of the current billing period as a JSON object, by type and then by channel. */
export const periodPayloadsSql = ({ sums, deltas }: PayloadHolder): string =>
  `(SELECT coalesce(json_object_agg(t.type, t.channels), '{}') FROM (
    SELECT c.type, json_object_agg(c.channel, c.n) AS channels FROM (
      SELECT p.type, p.channel, sum(p.n) AS n FROM (
        SELECT s.type, s.channel, s.n FROM ${sums} AND s.hours = 24 AND s.start >= ${PERIOD_START}
        UNION ALL SELECT d.type, d.channel, d.n FROM ${deltas} AND d.time >= ${PERIOD_START}) p
      GROUP BY p.type, p.channel) c GROUP BY c.type) t)`;
