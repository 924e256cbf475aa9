import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply, Stored } from '../../../platform/responses/answers.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { DeviceShownQuery } from '../devices/devices.query.js';
import { DeviceRecipe, DeviceRecipePatch } from './device-recipe.resource.js';
import { DeviceRecipesService } from './device-recipes.service.js';
import { DeviceRecipeBulkCreate, DeviceRecipeBulkCreatePost } from './recipe-bulk.resource.js';
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
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: DeviceRecipe },
    missing: 'device recipe',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('deviceRecipeId') deviceRecipeId: string,
    @Query() form: DeviceShownQuery,
  ): Promise<Stored<DeviceRecipe>> {
    return this.recipes.get(id, deviceRecipeId, form);
  }

  @Patch()
  @Operation('deviceRecipe.patch', {
    summary: 'Changes a device recipe',
    description:
      'What is absent stays as it is, and so do devices that were made from it. Needs the role `collaborate` on the application.',
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
    @Query() form: DeviceShownQuery,
    @Body() body: DeviceRecipePatch,
    @By() by: Author,
  ): Promise<Stored<DeviceRecipe>> {
    return this.recipes.patch(id, deviceRecipeId, body, form, by);
  }

  @Delete()
  @Operation('deviceRecipe.delete', {
    summary: 'Deletes a device recipe',
    description:
      'It is gone for good; devices that were made from it stay. Needs the role `collaborate` on the application.',
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
    summary: 'Makes devices from a recipe',
    description:
      'A device for each row of the CSV, or `count` devices that are all alike. What a row or the call says goes before the recipe; each device gets the tag `DeviceRecipe` with the id of the recipe. A row that can be no device makes none, and the result says why; the others are made. Up to 750 devices are made in the request, all or, where it fails, none. More, up to 10,000, are a job (202): `email` and `callbackUrl` are told of its end, with a link to the result that works for 24 hours. Such a callback is signed, is tried again until it is answered, and reaches public servers alone. Workflows that listen for new devices hear of each. The limits `device` and `applicationkey` of the owner apply. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { deviceRecipeBulkCreate: DeviceRecipeBulkCreatePost },
    example: { csv: 'name,site\nPump 1,north\nPump 2,south\n', nameColumn: 'name' },
    returns: { 201: DeviceRecipeBulkCreate, 202: JobEnqueuedResult },
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
