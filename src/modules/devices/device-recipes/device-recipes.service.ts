import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { DeviceForm } from '../devices/device.forms.js';
import { checkAttributes } from '../devices/device.rules.js';
import { shownAs } from './device-recipe.forms.js';
import type { DeviceRecipe, DeviceRecipePatch, DeviceRecipePost } from './device-recipe.resource.js';
import { newRecipe, withPlainIds } from './device-recipe.rules.js';
import type { DeviceRecipesQuery } from './device-recipes.query.js';
import { DeviceRecipesRepository } from './device-recipes.repository.js';

/** Manages the device recipes of applications. */
@Injectable()
export class DeviceRecipesService {
  constructor(
    private readonly recipes: DeviceRecipesRepository,
    private readonly database: Database,
  ) {}

  async list(
    application: ApplicationAccess,
    { list, ...form }: DeviceRecipesQuery,
  ): Promise<StoredPage<DeviceRecipe>> {
    const { items, envelope } = await this.recipes.findApplicationPage(application, list);
    return new StoredPage(
      items.map((recipe) => shownAs(recipe, form)),
      envelope,
    );
  }

  async create(
    application: ApplicationAccess,
    post: DeviceRecipePost,
    form: DeviceForm,
    by: Author,
  ): Promise<StoredResource<DeviceRecipe>> {
    return shownAs(await this.recipes.addToApplication(application, newRecipe(post), by), form);
  }

  async get(applicationId: string, id: string, form: DeviceForm): Promise<StoredResource<DeviceRecipe>> {
    return shownAs(await this.recipes.findOneOrFail(applicationId, id), form);
  }

  /** Locks the row while changing the class or the attributes, because the class restricts the attributes. */
  async patch(
    applicationId: string,
    id: string,
    patch: DeviceRecipePatch,
    form: DeviceForm,
    by: Author,
  ): Promise<StoredResource<DeviceRecipe>> {
    const changes = withPlainIds(patch);
    if (patch.attributes === undefined && patch.deviceClass === undefined)
      return shownAs(await this.recipes.update(applicationId, id, changes, by), form);
    return this.database.transaction(async (transaction) => {
      const stored = await this.recipes.lock(applicationId, id, transaction);
      checkAttributes(patch.attributes ?? stored.attributes, patch.deviceClass ?? stored.deviceClass);
      return shownAs(await this.recipes.update(applicationId, id, changes, by, transaction), form);
    });
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.recipes.delete(applicationId, id, by);
    return new Success();
  }
}
