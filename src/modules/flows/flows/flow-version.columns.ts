/** Returns SQL of a column of the workflow that the version `t` belongs to. */
export const ofWorkflow = (column: string): string =>
  `(SELECT own.${column} FROM flows own WHERE own.id = t.flow_id)`;
