import type { Row } from '../../../platform/database/row-shape.js';

/** Returns SQL for whether the running version of a workflow of the application `a` has a trigger of one of the types. */
const listensSql = (...types: readonly string[]): string =>
  `EXISTS (SELECT FROM flow_triggers g WHERE g.application_id = a.id AND g.version = 'default'
    AND g.type IN (${types.map((type) => `'${type}'`).join(', ')}))`;

/**
 * Returns SQL for the applications that have workflows with a trigger for reports of devices, or for their absence, with
 * whether they have the one and the other. `applications` is SQL for an array of their IDs. Each application requires two
 * lookups in the index of triggers.
 */
export const listeningSql = (applications: string): string =>
  `SELECT l.* FROM unnest(${applications}) a (id) CROSS JOIN LATERAL (
    SELECT a.id, ${listensSql('deviceId', 'deviceTag')} AS to_reports,
      ${listensSql('deviceIdInactivity', 'deviceTagInactivity')} AS to_silence) l WHERE l.to_reports OR l.to_silence`;

/** What the workflows of applications listen to. */
export class Listening {
  /** Applications with workflows that run for reports. */
  readonly toReports: ReadonlySet<string>;
  /** Applications with workflows that run if a device stops to report. */
  readonly toSilence: ReadonlySet<string>;

  /** Takes the rows of `listeningSql`. */
  constructor(rows: readonly Row[]) {
    const where = (column: number) => new Set(rows.filter((row) => row[column] === 't').map(([id]) => id!));
    [this.toReports, this.toSilence] = [where(1), where(2)];
  }
}
