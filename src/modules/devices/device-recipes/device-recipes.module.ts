import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceRecipeController } from './device-recipe.controller.js';
import { DeviceRecipe } from './device-recipe.resource.js';
import { DeviceRecipesController } from './device-recipes.controller.js';
import { DeviceRecipesRepository } from './device-recipes.repository.js';
import { DeviceRecipesService } from './device-recipes.service.js';
import { RecipeBulkJobs } from './recipe-bulk.jobs.js';
import { RecipeBulkRepository } from './recipe-bulk.repository.js';
import { RecipeBulkService } from './recipe-bulk.service.js';
import { RecipeDevicesService } from './recipe-devices.service.js';

/** Device recipes, and the devices created from them. */
@Module({
  imports: [TypeOrmModule.forFeature([DeviceRecipe]), DevicesModule],
  controllers: [DeviceRecipesController, DeviceRecipeController],
  providers: [
    DeviceRecipesRepository,
    DeviceRecipesService,
    RecipeBulkJobs,
    RecipeBulkRepository,
    RecipeBulkService,
    RecipeDevicesService,
  ],
})
export class DeviceRecipesModule {}
