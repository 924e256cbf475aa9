import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { CallbacksService } from '../../../platform/callbacks/callbacks.service.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import type { DeviceRecipe } from './device-recipe.resource.js';
import { DeviceRecipesRepository } from './device-recipes.repository.js';
import { RECIPE_BULK_CREATE, seedContext } from './recipe-bulk.jobs.js';
import { RecipeBulkRepository } from './recipe-bulk.repository.js';
import type { DeviceRecipeBulkCreate, DeviceRecipeBulkCreatePost } from './recipe-bulk.resource.js';
import { resultOf, templateOf, type BulkInput } from './recipe-bulk.rules.js';
import { RecipeDevicesService } from './recipe-devices.service.js';
import { RecipeSeed } from './recipe-seed.js';

/** Maximum number of devices created within the request; more are created by a job. */
const MAX_SYNC_DEVICES = 750;

/** Creates many devices from a recipe. */
@Injectable()
export class RecipeBulkService {
  constructor(
    private readonly recipes: DeviceRecipesRepository,
    private readonly rows: RecipeBulkRepository,
    private readonly devices: RecipeDevicesService,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly callbacks: CallbacksService,
    private readonly temporary: TemporaryBlobs,
    private readonly secrets: SecretBox,
  ) {}

  async create(
    application: ApplicationAccess,
    recipeId: string,
    post: DeviceRecipeBulkCreatePost,
    by: Author,
  ): Promise<DeviceRecipeBulkCreate | Reply<JobEnqueuedResult>> {
    if (post.callbackUrl !== undefined)
      this.callbacks.check(post.callbackUrl, 'deviceRecipeBulkCreate.callbackUrl');
    const recipe = (await this.recipes.findOneOrFail(application.id, recipeId)).toObject();
    const { csv, template } = templateOf({ recipe, post }, MAX_SYNC_DEVICES);
    if (csv.rows.length > MAX_SYNC_DEVICES) return this.enqueue(application, { recipe, post }, by);
    const rows = { rows: csv.rows, first: 0 };
    const seed = new RecipeSeed(RecipeSeed.create());
    const outcomes = await this.devices.createAndTrigger(
      application,
      template,
      rows,
      seed,
      by,
      (transaction) => this.log(application, recipe, by, transaction),
    );
    return resultOf(csv, template, outcomes);
  }

  /** Keeps the payload of the job small: its input is stored in a blob that is deleted after a day. */
  private async enqueue(
    { id: applicationId, ...application }: ApplicationAccess,
    input: BulkInput,
    by: Author,
  ): Promise<Reply<JobEnqueuedResult>> {
    const inputKey = `device-recipes/${newId()}.json`;
    const { email, callbackUrl } = input.post;
    await this.temporary.put(inputKey, Readable.from([JSON.stringify(input)]), {
      contentType: 'application/json',
    });
    const payload = {
      applicationId,
      recipeId: input.recipe.id,
      inputKey,
      seed: this.secrets.seal(RecipeSeed.create(), seedContext(inputKey)),
      by: { id: by.id, type: by.type },
      listeners: { email, callbackUrl, ownerId: by.caller.ownerId },
    };
    const jobId = await this.database.transaction(async (transaction) => {
      await this.log({ id: applicationId, ...application }, input.recipe, by, transaction);
      return this.jobs.enqueue(transaction, RECIPE_BULK_CREATE, payload, by);
    });
    return new Reply(202, Object.assign(new JobEnqueuedResult(), { jobId }));
  }

  private async log(
    { id, ownerId, ownerType }: ApplicationAccess,
    recipe: DeviceRecipe,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    if (ownerType !== 'organization') return;
    const { name } = await this.rows.application(id, transaction);
    const primary = { type: 'Application', id, name };
    const secondary = { type: 'DeviceRecipe', id: recipe.id, name: recipe.name };
    await writeEntry(transaction.manager, by, { organization: { id: ownerId, primary, secondary } });
  }
}
