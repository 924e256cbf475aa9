import { checkAttributes, lowerCaseIds } from '../devices/device.rules.js';
import type { DeviceRecipePatch, DeviceRecipePost } from './device-recipe.resource.js';

const DEFAULTS = { tags: [], attributes: [], deviceClass: 'standalone', keepDuplicates: false } as const;

/** Returns the row of a new recipe; throws a 400 error if its class does not support its attributes. */
export function newRecipe(post: DeviceRecipePost) {
  const row = withPlainIds({ ...DEFAULTS, ...post });
  checkAttributes(row.attributes, row.deviceClass);
  return row;
}

/** Converts IDs to lower case wherever they occur. */
export const withPlainIds = <T extends DeviceRecipePatch>(body: T): T => ({
  ...body,
  gatewayId: body.gatewayId?.toLowerCase() ?? body.gatewayId,
  parentId: body.parentId?.toLowerCase() ?? body.parentId,
  ...(body.attributes && { attributes: body.attributes.map(lowerCaseIds) }),
});
