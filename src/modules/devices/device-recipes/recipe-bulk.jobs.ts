import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes } from '../../../platform/callbacks/outcomes.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { Database } from '../../../platform/database/database.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { RecipeBulkRepository } from './recipe-bulk.repository.js';
import { templateOf, resultOf, type BulkInput } from './recipe-bulk.rules.js';
import { RecipeDevicesService, type RecipeUser, type RowOutcome } from './recipe-devices.service.js';
import { RecipeSeed } from './recipe-seed.js';

/** Payload of a job that creates devices; recipe and rows are in a blob. */
export interface RecipeBulkJob {
  applicationId: string;
  recipeId: string;
  inputKey: string;
  /** Encrypted, because the secrets of the devices' keys can be derived from it. */
  seed: string;
  by: RecipeUser;
  listeners: Listeners;
}

/** Job that creates many devices from a recipe. */
export const RECIPE_BULK_CREATE = defineJob<RecipeBulkJob>('deviceRecipe.bulkCreate', {
  erasesPayload: true,
  notifies: true,
  log: ({ applicationId, recipeId, listeners }) => ({
    applicationId,
    operation: 'deviceRecipe.bulkCreate',
    resourceType: 'deviceRecipe',
    resourceId: recipeId,
    input: loggedListeners(listeners),
  }),
});

/** Number of rows that earlier attempts have processed. */
interface BulkState {
  rows: number;
}

const BATCH = 250;
const LINK_SECONDS = 24 * 60 * 60;
const CSV = { contentType: 'text/csv; charset=utf-8' };

/** Returns the encryption context of a job's seed. */
export const seedContext = (inputKey: string): string => `jobs:payload.seed:${inputKey}`;

/** Handles the recipe jobs. */
@Injectable()
export class RecipeBulkJobs {
  constructor(
    private readonly rows: RecipeBulkRepository,
    private readonly devices: RecipeDevicesService,
    private readonly secrets: SecretBox,
    private readonly outcomes: Outcomes,
    private readonly temporary: TemporaryBlobs,
    private readonly database: Database,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  @OnJob(RECIPE_BULK_CREATE)
  async create(payload: RecipeBulkJob, job: JobContext): Promise<object | undefined> {
    const { applicationId, inputKey, listeners } = payload;
    const input = JSON.parse(await text(await this.blobs.read(inputKey))) as BulkInput;
    const task = {
      type: RECIPE_BULK_CREATE.name,
      title: `Creating devices from the recipe ${input.recipe.name}`,
      applicationId,
      listeners,
    };
    return this.outcomes.runAndNotify(task, job, async () => {
      const { csvResult, ...counts } = await this.makeAll(payload, input, job);
      const key = `device-recipes/${job.id}.csv`;
      await this.temporary.put(key, Readable.from([csvResult]), CSV);
      const { url, endsAt } = await this.temporary.link(key, 'devices.csv', LINK_SECONDS);
      return {
        data: { ...counts, resultUrl: url, resultEndsAt: endsAt },
        output: counts,
        text: `${counts.created} devices were created, and ${counts.failed} rows failed.\n\nResult of each row, available for 24 hours:\n${url}`,
      };
    });
  }

  /** Creates the devices in batches, each in a transaction. A retry finds the devices that were already created. */
  private async makeAll(
    { applicationId, inputKey, seed, by }: RecipeBulkJob,
    input: BulkInput,
    job: JobContext,
  ) {
    const { csv, template } = templateOf(input);
    const seeds = new RecipeSeed(this.secrets.open(seed, seedContext(inputKey)));
    const outcomes: RowOutcome[] = [];
    const known = (job.state as BulkState | undefined)?.rows ?? 0;
    for (let first = 0; first < csv.rows.length; first += BATCH) {
      job.signal.throwIfAborted();
      const rows = csv.rows.slice(first, first + BATCH);
      const application = await this.rows.application(applicationId);
      const made = await this.devices
        .createAndTrigger(application, template, { rows, first }, seeds, by)
        .catch((error: unknown) => allFailed(rows, error));
      outcomes.push(...made);
      const state: BulkState = { rows: outcomes.length };
      if (state.rows > known)
        await this.database.transaction((transaction) => job.saveState(state, transaction));
      await job.progress({ completed: outcomes.length, total: csv.rows.length, status: 'Creating devices' });
    }
    return resultOf(csv, template, outcomes);
  }
}

/**
 * Returns the same error for all rows of a batch if the owner's limit is reached; devices of earlier batches are kept.
 */
function allFailed(rows: readonly unknown[], error: unknown): RowOutcome[] {
  if (!(error instanceof ValidationError)) throw error;
  return rows.map(() => ({ error: error.message }));
}
