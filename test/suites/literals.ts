import pg from 'pg';

/** Returns a parameter of a statement as an SQL literal, in the text form in which the driver sends it. */
export const literalOf = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : pg.escapeLiteral(textOf(value));

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return JSON.stringify(value);
  const elements = value.map((element) => (element === null ? 'NULL' : JSON.stringify(textOf(element))));
  return `{${elements.join(',')}}`;
}
