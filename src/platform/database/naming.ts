import { DefaultNamingStrategy } from 'typeorm';

/**
 * Converts a property name to a column name: `lastUpdated` to `last_updated`, and `info.commonName` to
 * `info_common_name`.
 */
export function columnName(property: string): string {
  return property.replace(/\.|[A-Z]+/g, (part) => (part === '.' ? '_' : `_${part.toLowerCase()}`));
}

/** Converts a column name to a property name: `last_updated` to `lastUpdated`. */
export function propertyName(column: string): string {
  return column.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Uses snake case for all columns, so that handwritten SQL needs no quotes. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return columnName(custom ?? [...prefixes, property].join('_'));
  }
}
