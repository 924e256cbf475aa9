import { ValidationError } from './errors/errors.js';
import type { JsonSchema } from './fields.js';
import { parseNames } from './list/list-query.js';

/**
 * The summary of an application, organization or user: counts of what belongs to it, each present only when asked for.
 * A family that brings a new kind of resource registers how it is counted with `countedBy`; a kind that no family has
 * brought cannot exist, so its count is 0.
 */
export class Summary {
  private readonly counters = new Map<string, string>();

  constructor(
    /** Each name with what it counts. */
    private readonly names: Readonly<Record<string, string>>,
    /** The names in an answer when the caller asks for none. */
    private readonly usual: readonly string[],
  ) {}

  /** Registers the SQL that counts `name`: a scalar expression in which `t` is the row of the owner. */
  countedBy(name: string, sql: string): void {
    if (!Object.hasOwn(this.names, name)) throw new Error(`${name} is not in the summary`);
    this.counters.set(name, sql);
  }

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

  /** SQL of the chosen summary as one JSON value. */
  sql(chosen: readonly string[]): string {
    const fixed = this.fixed(chosen);
    if (fixed !== undefined) return `'${fixed}'`;
    const members = chosen.map(
      (name) => `'${name}', ${this.counters.get(name) ?? (STRUCTURED[name] ? `'${zero(name)}'::json` : '0')}`,
    );
    return `json_build_object(${members.join(', ')})`;
  }

  /** The chosen summary as JSON when nothing in it has to be counted, else nothing. */
  fixed(chosen: readonly string[]): string | undefined {
    if (chosen.some((name) => this.counters.has(name))) return undefined;
    return `{${chosen.map((name) => `"${name}":${STRUCTURED[name] ? zero(name) : 0}`).join(',')}}`;
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

const PAYLOAD_TYPES =
  'appFile dataTable deviceCommand deviceConnect deviceCreate deviceDisconnect deviceState endpoint event flowError inboundEmail integration mqttIn mqttOut notebook resourceJob timer virtualButton webhook'.split(
    ' ',
  );
const perChannel = {
  title: 'PayloadsByChannel',
  type: 'object',
  additionalProperties: { type: 'number' },
  description: 'Payloads by source and channel, such as `device.mqtt`.',
};
const count = (description: string) => ({ type: 'integer', minimum: 0, description, example: 3 });

/** The members of a summary that are no plain count. */
const STRUCTURED: Readonly<Record<string, JsonSchema & { properties: object }>> = {
  payloadCount: {
    title: 'PayloadCounts',
    type: 'object',
    description: 'Payloads of the current billing period, by type.',
    properties: Object.fromEntries(PAYLOAD_TYPES.map((type) => [type, perChannel])),
  },
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

/** What a structured member holds where nothing has happened. */
function zero(name: string): string {
  if (name === 'payloadCount') return '{}';
  return JSON.stringify(
    Object.fromEntries(Object.keys(STRUCTURED[name]!.properties).map((member) => [member, 0])),
  );
}
