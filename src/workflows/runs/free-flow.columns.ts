import { ON_DEVICES } from '../graph/graph.js';

/** Returns SQL for whether workflows of a class run on the platform. */
export const runsHereSql = (flowClass: string): string =>
  `${flowClass} NOT IN (${[...ON_DEVICES].map((name) => `'${name}'`).join(', ')})`;

/**
 * Returns SQL for whether no transaction holds the workflow `flowId`, for example to delete it; `true` if it does not exist.
 * Locks it like a firing, so that a firing in the same transaction waits for no lock of a workflow.
 */
export const isFreeFlowSql = (flowId: string): string =>
  `coalesce((SELECT true FROM flows f WHERE f.id = ${flowId} FOR KEY SHARE SKIP LOCKED),
      (SELECT count(*) = 0 FROM flows f WHERE f.id = ${flowId}))`;
