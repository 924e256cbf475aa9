import { csvLines } from '../../../lib/csv/csv.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { DeviceRecipe } from './device-recipe.resource.js';
import type { DeviceRecipeBulkCreate, DeviceRecipeBulkCreatePost } from './recipe-bulk.resource.js';
import { MAX_NEW_DEVICES } from './recipe-bulk.resource.js';
import { readCsv, type Csv } from './recipe-csv.js';
import { columnsOf, type Template } from './recipe-devices.rules.js';
import type { RowOutcome } from './recipe-devices.service.js';

/** Input of a bulk creation: the recipe and the request body. */
export interface BulkInput {
  recipe: DeviceRecipe;
  post: DeviceRecipeBulkCreatePost;
}

const BODY = 'deviceRecipeBulkCreate';
/** Prevents a small body from filling the database with many copies of a large recipe. */
const MAX_BYTES = 100 * 1024 * 1024;
/** Names that published clients expect for the device, its key and its secret. */
const PUBLISHED_COLUMNS = ['losantDeviceId', 'losantDeviceKey', 'losantDeviceSecret'];

/**
 * Returns the rows of a call and the template of their devices. Reads at most `max` rows, plus one if there are more.
 * Throws a 400 error for problems that concern all rows; problems of a single row are reported in its result.
 */
export function templateOf(
  { recipe, post }: BulkInput,
  max = MAX_NEW_DEVICES,
): { csv: Csv; template: Template } {
  const { csv: text, count } = post;
  if ((text === undefined) === (count === undefined))
    throw new ValidationError(`${BODY}.csv or ${BODY}.count is required, but not both`);
  const csv = text === undefined ? blankRows(Math.min(count!, max + 1)) : readCsv(text, max);
  if (csv.rows.length > MAX_NEW_DEVICES)
    throw new ValidationError(`${BODY}.csv must have at most ${MAX_NEW_DEVICES} rows`);
  if (JSON.stringify(recipe).length * csv.rows.length > MAX_BYTES)
    throw new ValidationError('The recipe is too large for this number of devices');
  return { csv, template: { recipe, post, columns: columnsOf(csv, post) } };
}

/** Returns the response: every row with its result. */
export function resultOf(
  { header, rows }: Csv,
  { post }: Template,
  outcomes: readonly RowOutcome[],
): DeviceRecipeBulkCreate {
  const hasKeys = post.makeUniqueKeySecret === true;
  const lines = rows.map((cells, i) => {
    const { deviceId, access, error } = outcomes[i]!;
    if (!hasKeys) return [...cells, deviceId, error];
    const made = [deviceId, access?.key, access?.secret];
    return [...cells, ...made, error, ...made];
  });
  const columns = hasKeys
    ? ['deviceId', 'accessKey', 'accessSecret', 'error', ...PUBLISHED_COLUMNS]
    : ['deviceId', 'error'];
  const created = outcomes.filter(({ error }) => error === undefined).length;
  return {
    created,
    failed: outcomes.length - created,
    csvResult: csvLines([[...header, ...columns], ...lines]),
  };
}

const blankRows = (count: number): Csv => ({ header: [], rows: Array.from({ length: count }, () => []) });
