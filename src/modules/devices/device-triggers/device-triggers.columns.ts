/**
 * Returns SQL for the applications that have a workflow whose active version has a trigger for device reports.
 * `applications` is SQL for an array of their IDs. Each application requires one lookup in the index of triggers.
 */
export const listeningSql = (applications: string): string =>
  `SELECT a.id FROM unnest(${applications}) a (id) CROSS JOIN LATERAL (
    SELECT FROM flow_triggers g WHERE g.application_id = a.id AND g.version = 'default'
      AND g.type IN ('deviceId', 'deviceTag') LIMIT 1) g`;
