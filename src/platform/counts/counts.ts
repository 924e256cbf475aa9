/** Kept counts by kind, such as `webhookCount`. A kind may be split into parts, as in `flowCount:cloud`. */
export type Counts = Readonly<Record<string, number>>;

/** SQL for the changes since the kept counts of `holder`, an ID, were last updated. */
const deltas = (holder: string, owner: boolean): string => {
  const own = `SELECT d.kind, d.n FROM count_deltas d WHERE d.holder_id = ${holder}`;
  return owner ? `${own} UNION ALL SELECT d.kind, d.n FROM count_deltas d WHERE d.owner_id = ${holder}` : own;
};

/**
 * Returns SQL for all counts of a holder, as text for `parseCounts`: the kept counts and the pending changes. It costs
 * two lookups by key, regardless of the number of counts. `owner` is true for users and organizations, whose counts
 * include those of their applications. `live` is SQL for additional counts as a JSON object, and `payloads` SQL for
 * data that `parseCounts` ignores.
 */
export const countsSql = (
  holder: string,
  { owner = false, live, payloads }: { owner?: boolean; live?: string; payloads?: string } = {},
): string =>
  `concat((SELECT k.counts FROM kept_counts k WHERE k.holder_id = ${holder}), chr(10),
    (SELECT json_object_agg(d.kind, d.n) FROM (SELECT d.kind, sum(d.n) AS n FROM (${deltas(holder, owner)}) d GROUP BY d.kind) d)${live || payloads ? `, chr(10), ${live ?? `''`}` : ''}${payloads ? `, chr(10), ${payloads}` : ''})`;

/** Result of `countsSql` if nothing was ever counted. */
export const NO_COUNTS = '\n';

/** Returns SQL for a single count of a holder. `kind` is SQL; `parted` is true if the count is the sum of its parts. */
export function countSql(holder: string, kind: string, { owner = false, parted = false } = {}): string {
  const kept = parted
    ? `(SELECT sum(e.value::bigint) FROM kept_counts k, jsonb_each_text(k.counts) e
        WHERE k.holder_id = ${holder} AND starts_with(e.key, ${kind} || ':'))`
    : `(SELECT (k.counts->>${kind})::bigint FROM kept_counts k WHERE k.holder_id = ${holder})`;
  const ofKind = parted ? `starts_with(d.kind, ${kind} || ':')` : `d.kind = ${kind}`;
  return `(coalesce(${kept}, 0) + coalesce((SELECT sum(d.n) FROM (${deltas(holder, owner)}) d WHERE ${ofKind}), 0))::bigint`;
}

/** Parses the result of `countsSql`: up to three JSON objects, one per line. A fourth line holds the payloads. */
export function parseCounts(text: string): Counts {
  const [kept, changed, live] = text.split('\n', 3).map((json) => (json ? (JSON.parse(json) as Counts) : {}));
  const counts: Record<string, number> = { ...kept };
  for (const kind in changed) counts[kind] = (counts[kind] ?? 0) + changed[kind]!;
  return Object.assign(counts, live);
}

/** Returns the payloads from the result of `countsSql`, as JSON. */
export const payloadsIn = (text: string): string | undefined => text.split('\n')[3];

/** Returns the counts with their parts added up. */
export function withoutParts(counts: Counts): Counts {
  const sums: Record<string, number> = {};
  for (const name in counts) {
    const part = name.indexOf(':');
    const kind = part < 0 ? name : name.slice(0, part);
    sums[kind] = (sums[kind] ?? 0) + counts[name]!;
  }
  return sums;
}
