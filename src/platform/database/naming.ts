import { DefaultNamingStrategy } from 'typeorm';

/** `lastUpdated` is the column `last_updated`, and the member `info.commonName` the column `info_common_name`. */
export function columnName(property: string): string {
  return property.replace(/\.|[A-Z]+/g, (part) => (part === '.' ? '_' : `_${part.toLowerCase()}`));
}

/** The column `last_updated` is `lastUpdated`. */
export function propertyName(column: string): string {
  return column.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Snake case for every column, so that SQL written by hand needs no quotes. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return columnName(custom ?? [...prefixes, property].join('_'));
  }
}
