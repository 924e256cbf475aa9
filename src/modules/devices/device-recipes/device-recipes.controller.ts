import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { DeviceFormQuery } from '../devices/devices.query.js';
import { DeviceRecipe, DeviceRecipePost, DeviceRecipes } from './device-recipe.resource.js';
import { DeviceRecipesQuery } from './device-recipes.query.js';
import { DeviceRecipesService } from './device-recipes.service.js';

@Controller('applications/:applicationId/device-recipes')
export class DeviceRecipesController {
  constructor(private readonly recipes: DeviceRecipesService) {}

  @Get()
  @Operation('deviceRecipes.get', {
    summary: 'Lists the device recipes of an application',
    description:
      'Returns a page of device recipes. `tagsAsObject` and `attributesAsObject` return their tags and attributes as objects.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: DeviceRecipes },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: DeviceRecipesQuery,
  ): Promise<StoredPage<DeviceRecipe>> {
    return this.recipes.list(application, query);
  }

  @Post()
  @Operation('deviceRecipes.post', {
    summary: 'Creates a device recipe',
    description:
      'Properties apply to the devices that are created from the recipe. The gateway and the system are checked when devices are created, not now. The limit `devicerecipe` of the owner applies to each application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { deviceRecipe: DeviceRecipePost },
    example: { name: 'Pump', attributes: [{ name: 'pressure', dataType: 'number' }] },
    returns: { 201: DeviceRecipe },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Query() form: DeviceFormQuery,
    @Body() body: DeviceRecipePost,
    @By() by: Author,
  ): Promise<StoredResource<DeviceRecipe>> {
    return this.recipes.create(application, body, form, by);
  }
}
