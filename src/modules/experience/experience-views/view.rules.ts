import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { validateHeaderValue } from 'node:http';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ExperienceViewPatch } from './experience-view.resource.js';

const KEY = new RegExp(NAME_PATTERN);

/** Default values of a new view. */
export const EMPTY_VIEW = { body: '', headers: {}, viewTags: {} };

/** Throws 400 for invalid values that the schema cannot reject. */
export function checkView({ viewTags, headers }: ExperienceViewPatch): void {
  if (!Object.keys(viewTags ?? {}).every((key) => KEY.test(key)))
    throw new ValidationError(
      'experienceView.viewTags has an invalid key: only letters, digits, _ and - are allowed',
    );
  for (const [name, value] of Object.entries(headers ?? {})) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw new ValidationError(`experienceView.headers.${name} is not a valid header`);
    }
  }
}
