import { ValidationError } from '../../../lib/errors/errors.js';
import { ID_PATTERN, NAME_PATTERN } from '../../../platform/fields/fields.js';
import type { DevicePost } from '../devices/device.resource.js';
import { MAX_TAGS, type DeviceTag } from '../devices/device.schemas.js';
import { RECIPE_TAG, type DeviceRecipe } from './device-recipe.resource.js';
import type { DeviceRecipeBulkCreatePost } from './recipe-bulk.resource.js';
import { shown, type Csv } from './recipe-csv.js';

const BODY = 'deviceRecipeBulkCreate';
const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 32767;
const MAX_TAG_LENGTH = 255;
const KEY = new RegExp(NAME_PATTERN);
const ID = new RegExp(ID_PATTERN);

/** Options that name the column of a property. */
const COLUMN_OPTIONS = {
  name: 'nameColumn',
  description: 'descriptionColumn',
  gatewayId: 'gatewayIdColumn',
  parentId: 'parentIdColumn',
} as const;
type ColumnOption = keyof typeof COLUMN_OPTIONS;

/** Position of each property that has a column, and of each tag, in a row. */
export interface Columns {
  named: Readonly<Partial<Record<ColumnOption, number>>>;
  tags: readonly { key: string; at: number }[];
  /** Number of columns. */
  width: number;
}

/** Source of the created devices: the recipe, and the values of the body for all devices. */
export interface Template {
  recipe: DeviceRecipe;
  post: DeviceRecipeBulkCreatePost;
  columns: Columns;
}

/**
 * Maps the columns to properties and tags; throws a 400 error if a named column does not exist or a column is not a
 * valid tag key.
 */
export function columnsOf({ header }: Pick<Csv, 'header'>, post: DeviceRecipeBulkCreatePost): Columns {
  const named: Partial<Record<ColumnOption, number>> = {};
  for (const [property, option] of Object.entries(COLUMN_OPTIONS) as [
    ColumnOption,
    (typeof COLUMN_OPTIONS)[ColumnOption],
  ][]) {
    const column = post[option];
    if (column === undefined) continue;
    named[property] = header.indexOf(column);
    if (named[property] < 0) throw new ValidationError(`${BODY}.${option} is not a column of the CSV`);
  }
  const taken = new Set(Object.values(named));
  const tags = header.map((key, at) => ({ key, at })).filter(({ at }) => !taken.has(at));
  const wrong = tags.find(({ key }) => !KEY.test(key));
  if (wrong)
    throw new ValidationError(
      `${BODY}.csv has a column "${shown(wrong.key)}", but tag keys can contain only letters, digits, - and _`,
    );
  return { named, tags, width: header.length };
}

/**
 * Returns the device of a row. Blank cells default to the value of the body, then to that of the recipe. A tag of the
 * row replaces the recipe's tags with the same key. Throws an error that describes the problem if the row is invalid.
 */
export function deviceOf({ recipe, post, columns }: Template, cells: readonly string[]): DevicePost {
  if (cells.length !== columns.width)
    throw new ValidationError(`The row has ${cells.length} cells, but the first row has ${columns.width}`);
  const { named } = columns;
  const cell = (property: ColumnOption) => (named[property] === undefined ? '' : cells[named[property]]!);
  const description = textOf('The description', cell('description'), MAX_DESCRIPTION_LENGTH);
  const gatewayId = idOf('The gateway', cell('gatewayId')) ?? post.gatewayId ?? recipe.gatewayId;
  const parentId =
    idOf('The system', cell('parentId')) ?? (post.parentId === undefined ? recipe.parentId : post.parentId);
  return {
    name: textOf('The name', cell('name'), MAX_NAME_LENGTH) ?? recipe.deviceName ?? recipe.name,
    description: description ?? recipe.deviceDescription,
    tags: tagsOf(recipe, columns, cells),
    deviceClass: recipe.deviceClass,
    gatewayId: gatewayId ?? undefined,
    parentId,
    systemInterval: recipe.systemInterval ?? undefined,
  };
}

function tagsOf(recipe: DeviceRecipe, columns: Columns, cells: readonly string[]): DeviceTag[] {
  const given = columns.tags.flatMap(({ key, at }) => {
    const value = textOf(`The tag ${key}`, cells[at]!, MAX_TAG_LENGTH);
    return value === undefined || key === RECIPE_TAG ? [] : [{ key, value }];
  });
  const keys = new Set([RECIPE_TAG, ...given.map(({ key }) => key)]);
  const kept = recipe.tags.filter(({ key }) => !keys.has(key));
  const tags = [...kept, ...given, { key: RECIPE_TAG, value: recipe.id }];
  if (tags.length > MAX_TAGS)
    throw new ValidationError(
      `The device would have more than ${MAX_TAGS} tags, including the one for its recipe`,
    );
  return tags;
}

/** Returns the text of a cell, or `undefined` if it is blank. */
function textOf(what: string, text: string, longest: number): string | undefined {
  if (text.length > longest && [...text].length > longest)
    throw new ValidationError(`${what} has more than ${longest} characters`);
  return text || undefined;
}

function idOf(what: string, text: string): string | undefined {
  const id = text.trim().toLowerCase();
  if (id && !ID.test(id)) throw new ValidationError(`${what} is not an ID of 24 hexadecimal digits`);
  return id || undefined;
}
