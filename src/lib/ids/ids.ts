import { ObjectId } from 'bson';

/** Pattern of an ID. Upper case is accepted and converted to lower case. */
export const ID_PATTERN = '^[A-Fa-f\\d]{24}$';
/** Pattern of names that other resources refer to: attributes, tag keys, columns of data tables. */
export const NAME_PATTERN = '^[0-9a-zA-Z_-]{1,255}$';

/** Generates an ID: 24 lower-case hexadecimal digits that sort by creation time. */
export function newId(): string {
  return new ObjectId().toHexString();
}
