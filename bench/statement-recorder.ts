import pg from 'pg';

// Loaded into the platform before it starts, by `node --import`: keeps every statement that goes to PostgreSQL, and hands
// over what has come together when its parent asks.

/** A value of a statement; on its way to the parent, a date has become text. */
export type Value = string | number | boolean | null | readonly Value[];

/** A statement with its values. */
export interface Sent {
  text: string;
  values: readonly Value[];
  /** Whether it is prepared and kept under a name. */
  named: boolean;
}

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;
type Parameters = [string | { text: string; values?: Value[]; name?: string }, unknown];

let sent: Sent[] = [];
const prototype = pg.Client.prototype as unknown as { query: Query };
const { query } = prototype;
prototype.query = function (...parameters) {
  const [statement, values] = parameters as Parameters;
  const config = typeof statement === 'string' ? { text: statement } : statement;
  const given = config.values ?? (Array.isArray(values) ? (values as Value[]) : []);
  sent.push({ text: config.text, values: given, named: config.name !== undefined });
  return query.apply(this, parameters);
};

process.on('message', () => {
  process.send!(sent);
  sent = [];
});
