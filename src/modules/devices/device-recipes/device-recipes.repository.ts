import { repositoryOf } from '../../../platform/repositories/repository.js';
import { DEVICE_RECIPES } from './device-recipe.resource.js';

/** Stores the rows of device recipes. */
export class DeviceRecipesRepository extends repositoryOf(DEVICE_RECIPES) {}
