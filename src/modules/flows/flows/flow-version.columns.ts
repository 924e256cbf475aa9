/** SQL of a column of the workflow of `t`, a version. */
export const ofWorkflow = (column: string): string =>
  `(SELECT own.${column} FROM flows own WHERE own.id = t.flow_id)`;
