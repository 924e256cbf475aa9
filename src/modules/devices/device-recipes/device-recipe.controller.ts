import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply, StoredResource } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { DeviceFormQuery } from '../devices/devices.query.js';
import { DeviceRecipe, DeviceRecipePatch } from './device-recipe.resource.js';
import { DeviceRecipesService } from './device-recipes.service.js';
import {
  DeviceRecipeBulkCreate,
  DeviceRecipeBulkCreatePost,
  RECIPE_BULK_CALLBACK,
} from './recipe-bulk.resource.js';
import { RecipeBulkService } from './recipe-bulk.service.js';

@Controller('applications/:applicationId/device-recipes/:deviceRecipeId')
export class DeviceRecipeController {
  constructor(
    private readonly recipes: DeviceRecipesService,
    private readonly bulk: RecipeBulkService,
  ) {}

  @Get()
  @Operation('deviceRecipe.get', {
    summary: 'Returns a device recipe',
    description:
      'Tags and attributes are arrays by default. `tagsAsObject` and `attributesAsObject` return them as objects.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: DeviceRecipe },
    missing: 'device recipe',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('deviceRecipeId') deviceRecipeId: string,
    @Query() form: DeviceFormQuery,
  ): Promise<StoredResource<DeviceRecipe>> {
    return this.recipes.get(id, deviceRecipeId, form);
  }

  @Patch()
  @Operation('deviceRecipe.patch', {
    summary: 'Updates a device recipe',
    description:
      'Omitted properties keep their value. Arrays are replaced, not merged. Devices that were created from the recipe do not change.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { deviceRecipe: DeviceRecipePatch },
    example: { deviceName: 'Pump' },
    returns: { 200: DeviceRecipe },
    missing: 'device recipe',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('deviceRecipeId') deviceRecipeId: string,
    @Query() form: DeviceFormQuery,
    @Body() body: DeviceRecipePatch,
    @By() by: Author,
  ): Promise<StoredResource<DeviceRecipe>> {
    return this.recipes.patch(id, deviceRecipeId, body, form, by);
  }

  @Delete()
  @Operation('deviceRecipe.delete', {
    summary: 'Deletes a device recipe',
    description: 'Permanently deletes the recipe. Devices that were created from it are kept.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'device recipe',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('deviceRecipeId') deviceRecipeId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.recipes.delete(id, deviceRecipeId, by);
  }

  @Post('bulkCreate')
  @Operation('deviceRecipe.bulkCreate', {
    summary: 'Creates devices from a recipe',
    description:
      'Creates a device for each row of the CSV, or `count` identical devices. Values of the row or of the body override those of the recipe. Each device gets the tag `DeviceRecipe` with the ID of the recipe. Invalid rows create no device, and the result contains the reason; the other rows are not affected. Up to 750 devices are created within the request; if it fails, none are created. More devices, up to 10,000, are created by a job (`202`). When the job ends, `email` and `callbackUrl` are notified with a link to the result, which is valid for 24 hours. The callback is signed, retried until the receiver confirms it, and sent to public servers only. Workflows with a trigger for new devices run for each device. The limits `device` and `applicationkey` of the owner apply.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { deviceRecipeBulkCreate: DeviceRecipeBulkCreatePost },
    example: { csv: 'name,site\nPump 1,north\nPump 2,south\n', nameColumn: 'name' },
    returns: { 201: DeviceRecipeBulkCreate, 202: JobEnqueuedResult },
    callback: RECIPE_BULK_CALLBACK,
    missing: 'device recipe',
  })
  bulkCreate(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceRecipeId') deviceRecipeId: string,
    @Body() body: DeviceRecipeBulkCreatePost,
    @By() by: Author,
  ): Promise<DeviceRecipeBulkCreate | Reply<JobEnqueuedResult>> {
    return this.bulk.create(application, deviceRecipeId, body, by);
  }
}
