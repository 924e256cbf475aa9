/** The name of the version that is being developed, which has no id. */
export const DEVELOP = 'develop';

/** Runs of a workflow: of all versions, of one, or, with null, of the one being developed. */
export interface RunScope {
  flowId: string;
  flowVersionId?: string | null;
}

export type VersionsMeant = 'all' | 'develop' | 'named';

/** SQL that leaves the runs of the versions that are meant; `id` is the parameter of the version, where it is one of a name. */
export const OF_VERSIONS: Readonly<Record<VersionsMeant, (row: string, id: string) => string>> = {
  all: () => '',
  develop: (row) => ` AND ${row}.flow_version_id IS NULL`,
  named: (row, id) => ` AND ${row}.flow_version_id = ${id}`,
};

/** Which versions a scope means, and the last parameter of statements about them. */
export function versionsOf({ flowVersionId }: RunScope): { versions: VersionsMeant; values: string[] } {
  if (flowVersionId === undefined) return { versions: 'all', values: [] };
  return flowVersionId === null
    ? { versions: 'develop', values: [] }
    : { versions: 'named', values: [flowVersionId] };
}

/** Runs of which the id is less are removed: it begins with the second in which it was made, in hexadecimal. */
export const OLDEST_RUN = `to_hex(extract(epoch FROM now() - interval '30 days')::bigint)`;

/** Sums of runs until then are removed. */
export const OLDEST_SUM = `now() - interval '30 days'`;
