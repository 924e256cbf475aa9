import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { validateHeaderValue } from 'node:http';
import { ValidationError } from '../../../lib/errors/errors.js';
import { SyntaxFault } from '../../../workflows/language/syntax-fault.js';
import { prepareView } from '../../../workflows/language/views/view-dialect.js';
import type { ExperienceViewPatch } from './experience-view.resource.js';

const KEY = new RegExp(NAME_PATTERN);

/** Default values of a new view. */
export const EMPTY_VIEW = { body: '', headers: {}, viewTags: {} };

/** Throws 400 if the body of a view is no template that can be rendered. */
export function checkBody({ body }: ExperienceViewPatch): void {
  try {
    if (body !== undefined) prepareView(body);
  } catch (error) {
    if (error instanceof SyntaxFault) throw new ValidationError(`experienceView.body ${error.message}`);
    throw error;
  }
}

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
