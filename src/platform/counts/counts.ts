/** Kept counts by kind, such as `webhookCount`; a kind may be parted, as `flowCount:cloud`. */
export type Counts = Readonly<Record<string, number>>;

/** SQL: what changed since the kept counts of `holder`, an id, were brought up to date. */
const deltas = (holder: string, owner: boolean): string => {
  const own = `SELECT d.kind, d.n FROM count_deltas d WHERE d.holder_id = ${holder}`;
  return owner ? `${own} UNION ALL SELECT d.kind, d.n FROM count_deltas d WHERE d.owner_id = ${holder}` : own;
};

/**
 * SQL of all counts of a holder as text for `parseCounts`: the kept ones, and what changed since. It costs two look-ups by
 * key, whatever is counted. `owner` is true for a user or an organization, whose counts include those of its applications;
 * `live` is SQL of further counts, as a JSON object, and `payloads` that of what `parseCounts` leaves alone.
 */
export const countsSql = (
  holder: string,
  { owner = false, live, payloads }: { owner?: boolean; live?: string; payloads?: string } = {},
): string =>
  `concat((SELECT k.counts FROM kept_counts k WHERE k.holder_id = ${holder}), chr(10),
    (SELECT json_object_agg(d.kind, d.n) FROM (SELECT d.kind, sum(d.n) AS n FROM (${deltas(holder, owner)}) d GROUP BY d.kind) d)${live || payloads ? `, chr(10), ${live ?? `''`}` : ''}${payloads ? `, chr(10), ${payloads}` : ''})`;

/** What `countsSql` reads where nothing was ever counted. */
export const NO_COUNTS = '\n';

/** SQL of one count of a holder; `kind` is SQL, `parted` is true where the count is the sum of its parts. */
export function countSql(holder: string, kind: string, { owner = false, parted = false } = {}): string {
  const kept = parted
    ? `(SELECT sum(e.value::bigint) FROM kept_counts k, jsonb_each_text(k.counts) e
        WHERE k.holder_id = ${holder} AND starts_with(e.key, ${kind} || ':'))`
    : `(SELECT (k.counts->>${kind})::bigint FROM kept_counts k WHERE k.holder_id = ${holder})`;
  const ofKind = parted ? `starts_with(d.kind, ${kind} || ':')` : `d.kind = ${kind}`;
  return `(coalesce(${kept}, 0) + coalesce((SELECT sum(d.n) FROM (${deltas(holder, owner)}) d WHERE ${ofKind}), 0))::bigint`;
}

/** The counts that `countsSql` read: up to three JSON objects, a line each; a fourth is that of payloads. */
export function parseCounts(text: string): Counts {
  const [kept, changed, live] = text.split('\n', 3).map((json) => (json ? (JSON.parse(json) as Counts) : {}));
  const counts: Record<string, number> = { ...kept };
  for (const kind in changed) counts[kind] = (counts[kind] ?? 0) + changed[kind]!;
  return Object.assign(counts, live);
}

/** The payloads that `countsSql` read, as JSON. */
export const payloadsIn = (text: string): string | undefined => text.split('\n')[3];

/** The counts with their parts added up. */
export function withoutParts(counts: Counts): Counts {
  const sums: Record<string, number> = {};
  for (const name in counts) {
    const part = name.indexOf(':');
    const kind = part < 0 ? name : name.slice(0, part);
    sums[kind] = (sums[kind] ?? 0) + counts[name]!;
  }
  return sums;
}
