import type { Helper } from '../handlebars/dialect.js';
import { CONDITION_HELPERS } from './conditions.js';
import { DATE_HELPERS } from './dates.js';
import { LIST_HELPERS } from './lists.js';
import { match } from './match.js';
import { NUMBER_HELPERS } from './numbers.js';
import { OBJECT_HELPERS } from './objects.js';
import { PLACE_HELPERS } from './places.js';
import { TEXT_HELPERS } from './text.js';

/** Helpers by name, without those that render or evaluate a text. */
export const HELPERS: Readonly<Record<string, Helper>> = {
  ...CONDITION_HELPERS,
  ...DATE_HELPERS,
  ...LIST_HELPERS,
  ...NUMBER_HELPERS,
  ...OBJECT_HELPERS,
  ...PLACE_HELPERS,
  ...TEXT_HELPERS,
  match,
};
