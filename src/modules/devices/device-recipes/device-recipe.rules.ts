import { checkAttributes, withIdsInLowerCase } from '../devices/device.rules.js';
import type { DeviceRecipePatch, DeviceRecipePost } from './device-recipe.resource.js';

const DEFAULTS = { tags: [], attributes: [], deviceClass: 'standalone', keepDuplicates: false } as const;

/** The row of a new recipe; 400 where its attributes are none of its class. */
export function newRecipe(post: DeviceRecipePost) {
  const row = withPlainIds({ ...DEFAULTS, ...post });
  checkAttributes(row.attributes, row.deviceClass);
  return row;
}

/** Ids are kept in lower case, wherever they stand. */
export const withPlainIds = <T extends DeviceRecipePatch>(body: T): T => ({
  ...body,
  gatewayId: body.gatewayId?.toLowerCase() ?? body.gatewayId,
  parentId: body.parentId?.toLowerCase() ?? body.parentId,
  ...(body.attributes && { attributes: body.attributes.map(withIdsInLowerCase) }),
});
