/** Name of the development version, which has no ID. */
export const DEVELOP = 'develop';

/** Scope of runs: all versions of a workflow (`undefined`), one version, or the development version (`null`). */
export interface RunScope {
  flowId: string;
  flowVersionId?: string | null;
}

export type VersionSelection = 'all' | 'develop' | 'named';

/** SQL condition that selects the runs of the versions; `id` is the parameter of a named version. */
export const VERSION_CONDITIONS: Readonly<Record<VersionSelection, (row: string, id: string) => string>> = {
  all: () => '',
  develop: (row) => ` AND ${row}.flow_version_id IS NULL`,
  named: (row, id) => ` AND ${row}.flow_version_id = ${id}`,
};

/** Returns the versions of a scope, and the last parameter of its statements. */
export function versionsOf({ flowVersionId }: RunScope): { versions: VersionSelection; values: string[] } {
  if (flowVersionId === undefined) return { versions: 'all', values: [] };
  return flowVersionId === null
    ? { versions: 'develop', values: [] }
    : { versions: 'named', values: [flowVersionId] };
}

/** Runs with a lower ID are deleted. IDs start with their creation time in seconds, in hexadecimal. */
export const RUN_RETENTION_START_ID = `to_hex(extract(epoch FROM now() - interval '30 days')::bigint)`;

/** Sums that end before this time are deleted. */
export const SUM_RETENTION_START = `now() - interval '30 days'`;
