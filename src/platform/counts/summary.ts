import { countsSql, NO_COUNTS, parseCounts, payloadsIn, withoutParts, type Counts } from './counts.js';
import type { Computed } from '../database/row-shape.js';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JsonSchema } from '../fields/fields.js';
import { COUNT_EXAMPLE, countSchema } from '../fields/schema.js';
import { parseNames } from '../lists/list-query.js';
import { ofApplication, ofOwner, periodPayloadsSql } from '../payloads/payload-counts.js';
import { payloadsByType } from '../payloads/payload-schemas.js';

export interface SummaryOptions {
  /** Whether counts include those of owned applications. */
  owner?: boolean;
  /** Kind of the stored count, if its name differs from that of the summary field. */
  kinds?: Readonly<Record<string, string>>;
  /** SQL, with the holder as `t`, of counts that are not stored because the counted items expire. */
  live?: Readonly<Record<string, string>>;
}

/**
 * Summary of an application, organization or user: counts of its resources, each included only on request. The counts
 * are read from stored counts; kinds that are not counted yet are 0.
 */
export class Summary {
  constructor(
    /** Description of each name. */
    private readonly names: Readonly<Record<string, string>>,
    /** Default names if the caller requests none. */
    private readonly usual: readonly string[],
    private readonly options: SummaryOptions = {},
  ) {}

  /**
   * Returns the names that a caller requests: those of `summaryInclude`, or the default ones, without those of
   * `summaryExclude`. Throws `400` for unknown names.
   */
  choose(query: { summaryInclude?: string; summaryExclude?: string }): readonly string[] {
    if (query.summaryInclude === undefined && query.summaryExclude === undefined) return this.usual;
    const included = this.named('summaryInclude', query.summaryInclude);
    const excluded = new Set(this.named('summaryExclude', query.summaryExclude));
    return (included.length ? included : this.usual).filter((name) => !excluded.has(name));
  }

  /**
   * Returns the property `summary` of rows `t`. Callers choose names freely, but there are only four variants of its
   * SQL.
   */
  property(chosen: readonly string[]): Computed {
    const { owner, live: expiring = {} } = this.options;
    // Most applications have no resources yet, so their summary is serialized once.
    const none = this.json(chosen, {}, '{}');
    const members = Object.entries(expiring).map(([name, sql]) => `'${name}', ${sql}`);
    const live = chosen.some((name) => Object.hasOwn(expiring, name))
      ? `json_build_object(${members.join(', ')})`
      : undefined;
    const payloads = chosen.includes(PAYLOADS)
      ? periodPayloadsSql(owner ? ofOwner('t.id') : ofApplication('t.id'))
      : undefined;
    return {
      property: 'summary',
      kind: 'json',
      sql: countsSql('t.id', { owner, live, payloads }),
      // Nothing belongs to a new row yet.
      sqlOfNew: live || payloads ? undefined : 'chr(10)',
      write: (text) =>
        text === NO_COUNTS ? none : this.json(chosen, parseCounts(text), payloadsIn(text) ?? '{}'),
    };
  }

  /** Returns the chosen counts as JSON, with payloads, which already are JSON. */
  private json(chosen: readonly string[], counts: Counts, payloads: string): string {
    const sums = withoutParts(counts);
    const members = chosen.map(
      (name) => `"${name}":${name === PAYLOADS ? payloads : this.member(name, sums)}`,
    );
    return `{${members.join(',')}}`;
  }

  private member(name: string, counts: Counts): string {
    const structure = STRUCTURED[name];
    if (!structure) return String(counts[this.options.kinds?.[name] ?? name] ?? 0);
    const members = Object.keys(structure.properties).map((member) => [
      member,
      counts[`${name}.${member}`] ?? 0,
    ]);
    return JSON.stringify(Object.fromEntries(members));
  }

  private named(parameter: string, value: string | undefined): string[] {
    const names = [...new Set(parseNames(parameter, value))];
    const unknown = names.find((name) => !Object.hasOwn(this.names, name));
    if (unknown !== undefined)
      throw new ValidationError(`${parameter} has no field ${JSON.stringify(unknown.slice(0, 64))}`);
    return names;
  }

  /** Returns the schema of the summary. */
  schema(title: string): JsonSchema {
    const properties = Object.entries(this.names).map(([name, meaning]) => [
      name,
      STRUCTURED[name] ?? countSchema(meaning),
    ]);
    const example = Object.fromEntries(this.usual.map((name) => [name, COUNT_EXAMPLE]));
    return {
      title,
      type: 'object',
      description: 'Counts of associated resources; only requested counts are included.',
      example,
      properties: Object.fromEntries(properties),
    };
  }
}

/** Returns the names that are plain counts, each a look-up of a stored count. */
export const countsAmong = (names: Readonly<Record<string, string>>): string[] =>
  Object.keys(names).filter((name) => !Object.hasOwn(STRUCTURED, name));

const PAYLOADS = 'payloadCount';

/** Members of a summary that are not plain counts. */
const STRUCTURED: Readonly<Record<string, JsonSchema & { properties: object }>> = {
  payloadCount: payloadsByType('PayloadCounts', 'Payloads of the current billing period, by type.'),
  storageStats: {
    title: 'StorageStats',
    type: 'object',
    required: ['count', 'size'],
    description: 'Workflow storage in use.',
    properties: {
      count: countSchema('Number of stored values.'),
      size: countSchema('Total size of the stored values, in bytes.'),
    },
  },
  notebookStats: {
    title: 'NotebookStats',
    type: 'object',
    required: ['awaitingCompletion', 'minutesThisPeriod', 'runsThisPeriod'],
    description: 'Notebook runs of the current billing period.',
    properties: {
      awaitingCompletion: countSchema('Number of unfinished runs.'),
      minutesThisPeriod: countSchema('Minutes used in the current billing period.'),
      runsThisPeriod: countSchema('Number of runs started in the current billing period.'),
    },
  },
};
