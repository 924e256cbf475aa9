import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';

/** Text by key that programs give to what an experience is made of. */
export type ExperienceTags = Readonly<Record<string, string>>;

const MOST_TAGS = 100;
const KEY = new RegExp(NAME_PATTERN);

export const EXPERIENCE_TAGS: JsonSchema = {
  type: 'object',
  maxProperties: MOST_TAGS,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255 },
};

/** What descriptions say of such tags. */
export const TAGS_TOLD = 'Text by key, for programs; keys are letters, digits, `_` and `-`.';

/** Throws 400 for a key that is none; `at` is what the caller calls the tags. */
export function checkTags(tags: ExperienceTags | undefined, at: string): void {
  if (!Object.keys(tags ?? {}).every((key) => KEY.test(key)))
    throw new ValidationError(`${at} has a key that is none: letters, digits, _ and - only`);
}
