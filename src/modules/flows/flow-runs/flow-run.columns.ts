/** Name of the development version, which has no ID. */
export const DEVELOP = 'develop';

/** Scope of runs: all versions of a workflow (`undefined`), one version, or the development version (`null`). */
export interface RunScope {
  flowId: string;
  flowVersionId?: string | null;
}

export type VersionsMeant = 'all' | 'develop' | 'named';

/** SQL condition that selects the runs of the versions; `id` is the parameter of a named version. */
export const OF_VERSIONS: Readonly<Record<VersionsMeant, (row: string, id: string) => string>> = {
  all: () => '',
  develop: (row) => ` AND ${row}.flow_version_id IS NULL`,
  named: (row, id) => ` AND ${row}.flow_version_id = ${id}`,
};

/** Returns the versions of a scope, and the last parameter of its statements. */
export function versionsOf({ flowVersionId }: RunScope): { versions: VersionsMeant; values: string[] } {
  if (flowVersionId === undefined) return { versions: 'all', values: [] };
  return flowVersionId === null
    ? { versions: 'develop', values: [] }
    : { versions: 'named', values: [flowVersionId] };
}

/** Runs with a lower ID are deleted. IDs start with their creation time in seconds, in hexadecimal. */
export const OLDEST_RUN = `to_hex(extract(epoch FROM now() - interval '30 days')::bigint)`;

/** Sums that end before this time are deleted. */
export const OLDEST_SUM = `now() - interval '30 days'`;
