import { countsSql, NO_COUNTS, parseCounts, payloadsIn, withoutParts, type Counts } from './counts.js';
import type { Computed } from '../database/row-shape.js';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JsonSchema } from '../fields/fields.js';
import { parseNames } from '../lists/list-query.js';
import { ofApplication, ofOwner, periodPayloadsSql } from '../payloads/payload-counts.js';
import { payloadsByType } from '../payloads/payload-schemas.js';

export interface SummaryOptions {
  /** True where counts include those of applications that are owned. */
  owner?: boolean;
  /** The kind that is kept, where it has another name than the count. */
  kinds?: Readonly<Record<string, string>>;
  /** SQL over `t`, the holder, of a count that is not kept, as what it counts ends by itself. */
  live?: Readonly<Record<string, string>>;
}

/**
 * The summary of an application, organization or user: counts of what belongs to it, each present only when asked for.
 * They are read from kept counts, whatever they are of; what nothing counts yet is 0.
 */
export class Summary {
  constructor(
    /** Each name with what it counts. */
    private readonly names: Readonly<Record<string, string>>,
    /** The names in an answer when the caller asks for none. */
    private readonly usual: readonly string[],
    private readonly options: SummaryOptions = {},
  ) {}

  /**
   * The names that a caller asks for: those of `summaryInclude`, or the usual ones, without those of
   * `summaryExclude`. 400 for a name that the summary does not have.
   */
  choose(query: { summaryInclude?: string; summaryExclude?: string }): readonly string[] {
    if (query.summaryInclude === undefined && query.summaryExclude === undefined) return this.usual;
    const included = this.named('summaryInclude', query.summaryInclude);
    const excluded = new Set(this.named('summaryExclude', query.summaryExclude));
    return (included.length ? included : this.usual).filter((name) => !excluded.has(name));
  }

  /** The property `summary` of rows `t`. Its SQL is one of four, whatever is chosen: callers choose freely. */
  property(chosen: readonly string[]): Computed {
    const { owner, live = {} } = this.options;
    const counted = chosen.some((name) => Object.hasOwn(live, name))
      ? Object.entries(live).map(([name, sql]) => `'${name}', ${sql}`)
      : [];
    // Most applications have nothing yet: what is shown of them is written once.
    const none = this.json(chosen, {}, '{}');
    const payloads = periodPayloadsSql(owner ? ofOwner('t.id') : ofApplication('t.id'));
    return {
      property: 'summary',
      kind: 'json',
      sql: countsSql('t.id', {
        owner,
        live: counted.length ? `json_build_object(${counted.join(', ')})` : undefined,
        payloads: chosen.includes(PAYLOADS) ? payloads : undefined,
      }),
      write: (text) =>
        text === NO_COUNTS ? none : this.json(chosen, parseCounts(text), payloadsIn(text) ?? '{}'),
    };
  }

  /** The chosen counts as JSON, and payloads, which are JSON already. */
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

  /** The schema of the summary. */
  schema(title: string): JsonSchema {
    const properties = Object.entries(this.names).map(([name, meaning]) => [
      name,
      STRUCTURED[name] ?? count(meaning),
    ]);
    return {
      title,
      type: 'object',
      description: 'Counts of what belongs to it; only those asked for are present.',
      properties: Object.fromEntries(properties),
    };
  }
}

/** The names that are plain counts, each a look-up of what is kept. */
export const countsAmong = (names: Readonly<Record<string, string>>): string[] =>
  Object.keys(names).filter((name) => !Object.hasOwn(STRUCTURED, name));

const PAYLOADS = 'payloadCount';
const count = (description: string) => ({ type: 'integer', minimum: 0, description, example: 3 });

/** The members of a summary that are no plain count. */
const STRUCTURED: Readonly<Record<string, JsonSchema & { properties: object }>> = {
  payloadCount: payloadsByType('PayloadCounts', 'Payloads of the current billing period, by type.'),
  storageStats: {
    title: 'StorageStats',
    type: 'object',
    required: ['count', 'size'],
    description: 'Workflow storage in use.',
    properties: { count: count('Stored values.'), size: count('Their size in bytes.') },
  },
  notebookStats: {
    title: 'NotebookStats',
    type: 'object',
    required: ['awaitingCompletion', 'minutesThisPeriod', 'runsThisPeriod'],
    description: 'Notebook runs of the current billing period.',
    properties: {
      awaitingCompletion: count('Runs not finished.'),
      minutesThisPeriod: count('Minutes used.'),
      runsThisPeriod: count('Runs started.'),
    },
  },
};
