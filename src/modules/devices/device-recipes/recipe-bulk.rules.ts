import { csvLines } from '../../../lib/csv/csv.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { DeviceRecipe } from './device-recipe.resource.js';
import type { DeviceRecipeBulkCreate, DeviceRecipeBulkCreatePost } from './recipe-bulk.resource.js';
import { MOST_NEW_DEVICES } from './recipe-bulk.resource.js';
import { readCsv, type Csv } from './recipe-csv.js';
import { columnsOf, type Template } from './recipe-devices.rules.js';
import type { RowOutcome } from './recipe-devices.service.js';

/** What a call is given. */
export interface BulkInput {
  recipe: DeviceRecipe;
  post: DeviceRecipeBulkCreatePost;
}

const BODY = 'deviceRecipeBulkCreate';
/** A little body must not fill the database with many copies of a large recipe. */
const MOST_BYTES = 100 * 1024 * 1024;

/**
 * The rows of a call and what their devices are made from. No more than `most` rows are read, and one more where there are
 * more. Throws 400 for what concerns all rows; what is wrong with one of them is for that row.
 */
export function templateOf(
  { recipe, post }: BulkInput,
  most = MOST_NEW_DEVICES,
): { csv: Csv; template: Template } {
  const { csv: text, count } = post;
  if ((text === undefined) === (count === undefined))
    throw new ValidationError(`${BODY}.csv or ${BODY}.count is required, and not both`);
  const csv = text === undefined ? blankRows(Math.min(count!, most + 1)) : readCsv(text, most);
  if (csv.rows.length > MOST_NEW_DEVICES)
    throw new ValidationError(`${BODY}.csv must have at most ${MOST_NEW_DEVICES} rows`);
  if (JSON.stringify(recipe).length * csv.rows.length > MOST_BYTES)
    throw new ValidationError('The recipe is too large for so many devices at once');
  return { csv, template: { recipe, post, columns: columnsOf(csv, post) } };
}

/** The answer: every row with what became of it. */
export function resultOf(
  { header, rows }: Csv,
  { post }: Template,
  outcomes: readonly RowOutcome[],
): DeviceRecipeBulkCreate {
  const hasKeys = post.makeUniqueKeySecret === true;
  const lines = rows.map((cells, i) => {
    const { deviceId, access, error } = outcomes[i]!;
    return [...cells, deviceId, ...(hasKeys ? [access?.key, access?.secret] : []), error];
  });
  const columns = ['deviceId', ...(hasKeys ? ['accessKey', 'accessSecret'] : []), 'error'];
  const created = outcomes.filter(({ error }) => error === undefined).length;
  return {
    created,
    failed: outcomes.length - created,
    csvResult: csvLines([[...header, ...columns], ...lines]),
  };
}

const blankRows = (count: number): Csv => ({ header: [], rows: Array.from({ length: count }, () => []) });
