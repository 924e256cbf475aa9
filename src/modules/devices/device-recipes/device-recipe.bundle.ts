import { bundled } from '../../../platform/bundles/bundled.js';
import { namedItems, pairs } from '../../../platform/bundles/forms.js';
import { DEVICE_RECIPES, DeviceRecipePost } from './device-recipe.resource.js';
import { newRecipe } from './device-recipe.rules.js';

export const BUNDLED_DEVICE_RECIPES = bundled({
  holding: DEVICE_RECIPES,
  resourceType: 'DeviceRecipe',
  placeholderWord: 'deviceRecipe',
  place: { file: () => 'deviceRecipes' },
  post: DeviceRecipePost,
  links: ['gatewayId', 'parentId'],
  converters: { attributes: namedItems('name'), tags: pairs },
  row: newRecipe,
});
