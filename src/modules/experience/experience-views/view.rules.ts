import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { validateHeaderValue } from 'node:http';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ExperienceViewPatch } from './experience-view.resource.js';

const KEY = new RegExp(NAME_PATTERN);

/** What a new view is unless its body says otherwise. */
export const EMPTY_VIEW = { body: '', headers: {}, viewTags: {} };

/** Throws 400 for what the schema of a view cannot say. */
export function checkView({ viewTags, headers }: ExperienceViewPatch): void {
  if (!Object.keys(viewTags ?? {}).every((key) => KEY.test(key)))
    throw new ValidationError(
      'experienceView.viewTags has a key that is none: letters, digits, _ and - only',
    );
  for (const [name, value] of Object.entries(headers ?? {})) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw new ValidationError(`experienceView.headers.${name} is no header that can be sent`);
    }
  }
}
