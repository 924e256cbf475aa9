import type { ErrorObject } from 'ajv';

/** Messages of faults by keyword. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['additionalItems', 'has additional items'],
  ['additionalProperties', 'has additional properties'],
  ['anyOf', 'no schemas match'],
  ['dependencies', 'dependencies not set'],
  ['enum', 'must be an enum value'],
  ['maximum', 'is more than maximum'],
  ['maxItems', 'has more items than allowed'],
  ['maxLength', 'has longer length than allowed'],
  ['maxProperties', 'has more properties than allowed'],
  ['minimum', 'is less than minimum'],
  ['minItems', 'has less items than allowed'],
  ['minLength', 'has less length than allowed'],
  ['minProperties', 'has less properties than allowed'],
  ['multipleOf', 'has a remainder'],
  ['not', 'negative schema matches'],
  ['oneOf', 'no (or more than one) schemas match'],
  ['pattern', 'pattern mismatch'],
  ['required', 'is required'],
  ['type', 'is the wrong type'],
  ['uniqueItems', 'must be unique'],
]);

/** Returns the message of a fault. */
export function messageOf({ keyword, params, message = 'is invalid' }: ErrorObject): string {
  if (keyword === 'format') return `must be ${String(params.format)} format`;
  return MESSAGES.get(keyword) ?? message;
}
