import type { Family } from '../../../platform/families.js';
import { BUNDLED_DEVICE_RECIPES } from './device-recipe.bundle.js';
import { DEVICE_RECIPES, DeviceRecipe } from './device-recipe.resource.js';
import { DeviceRecipesModule } from './device-recipes.module.js';
import { RECIPE_BULK_CREATE } from './recipe-bulk.jobs.js';

/** Device recipes, and the devices created from them. */
export const DEVICE_RECIPES_FAMILY: Family = {
  modules: [DeviceRecipesModule],
  entities: [DeviceRecipe],
  holdings: [DEVICE_RECIPES],
  bundles: [BUNDLED_DEVICE_RECIPES],
  jobs: [RECIPE_BULK_CREATE],
  tag: {
    name: 'deviceRecipes',
    title: 'Device recipes',
    group: 'Devices',
    resources: ['deviceRecipes', 'deviceRecipe'],
    description: 'Device recipes, from which one or many devices are created.',
  },
};
