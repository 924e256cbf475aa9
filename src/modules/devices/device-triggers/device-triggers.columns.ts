/**
 * SQL of the applications of which a workflow listens, in the version that runs, to what devices report. `applications` is SQL of
 * an array of their ids. Each is one look into the index of triggers.
 */
export const listeningSql = (applications: string): string =>
  `SELECT a.id FROM unnest(${applications}) a (id) CROSS JOIN LATERAL (
    SELECT FROM flow_triggers g WHERE g.application_id = a.id AND g.version = 'default'
      AND g.type IN ('deviceId', 'deviceTag') LIMIT 1) g`;
