import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';

/** Tags of the resources of an experience: text by key, set by programs. */
export type ExperienceTags = Readonly<Record<string, string>>;

const MAX_TAGS = 100;
const KEY = new RegExp(NAME_PATTERN);

export const EXPERIENCE_TAGS: JsonSchema = {
  type: 'object',
  maxProperties: MAX_TAGS,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Description of experience tags in the API documentation. */
export const TAGS_NOTE = 'Text by key, for use by programs. Keys contain letters, digits, `_` and `-`.';

/** Throws 400 for an invalid key; `at` is the path of the tags in error messages. */
export function checkTags(tags: ExperienceTags | undefined, at: string): void {
  if (!Object.keys(tags ?? {}).every((key) => KEY.test(key)))
    throw new ValidationError(`${at} has an invalid key: only letters, digits, _ and - are allowed`);
}
