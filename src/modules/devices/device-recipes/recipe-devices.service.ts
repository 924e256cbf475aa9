import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { Database, type Transaction, type QueuedTransaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { JobRequester } from '../../../platform/jobs/job-rows.js';
import { numbered, withPosition, type DevicePosition } from '../devices/device.rules.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import { DevicesService } from '../devices/devices.service.js';
import { NewDevices } from '../devices/new-devices.js';
import { RecipeBulkRepository, type NewDevice } from './recipe-bulk.repository.js';
import { deviceOf, type Template } from './recipe-devices.rules.js';
import type { RecipeSeed } from './recipe-seed.js';

/** Result of a row: a device, with an access key if requested, or an error. */
export interface RowOutcome {
  deviceId?: string;
  access?: { id: string; key: string; secret: string };
  error?: string;
}

/** Rows of one batch. */
export interface RecipeRows {
  rows: readonly (readonly string[])[];
  /** Index of the first row of the batch among all rows of the call. */
  first: number;
}

/** User or client that creates devices from a recipe. */
export type RecipeUser = Pick<Author, 'id' | 'type'>;

/** Number of devices held in memory while workflows are notified. */
const TRIGGER_BATCH = 100;

/** Creates devices from recipes. */
@Injectable()
export class RecipeDevicesService {
  constructor(
    private readonly rows: RecipeBulkRepository,
    private readonly devices: DevicesService,
    private readonly stored: DevicesRepository,
    private readonly created: NewDevices,
    private readonly database: Database,
  ) {}

  /**
   * Creates devices like `create`, in a separate transaction in which `also` runs too. Then notifies the workflows with a
   * trigger for new devices.
   */
  async createAndTrigger(
    application: OwnedApplication,
    template: Template,
    rows: RecipeRows,
    seed: RecipeSeed,
    by: RecipeUser,
    also?: (transaction: Transaction) => Promise<void>,
  ): Promise<RowOutcome[]> {
    const { outcomes, made } = await this.database.queuedTransaction(application.id, async (transaction) => {
      const done = await this.create(application, template, rows, seed, by, transaction);
      await also?.(transaction);
      return done;
    });
    for (let told = 0; told < made.length; told += TRIGGER_BATCH) {
      const ids = made.slice(told, told + TRIGGER_BATCH);
      await this.created.publish(application.id, await this.stored.allOf(application.id, ids), by);
    }
    return outcomes;
  }

  /**
   * Creates a device for each valid row; throws a 400 error if the application would exceed its limit. Rows whose
   * devices already exist are not changed, and their result is the same as before.
   */
  private async create(
    application: OwnedApplication,
    template: Template,
    { rows, first }: RecipeRows,
    seed: RecipeSeed,
    by: JobRequester,
    transaction: QueuedTransaction,
  ): Promise<{ outcomes: RowOutcome[]; made: string[] }> {
    const ids = rows.map((_, i) => seed.deviceId(first + i));
    const existing = await this.rows.existing(application.id, ids, transaction);
    const place = this.places(application, transaction);
    const devices: NewDevice[] = [];
    const outcomes: RowOutcome[] = [];
    for (const [i, cells] of rows.entries()) {
      const id = ids[i]!;
      const access = template.post.makeUniqueKeySecret ? seed.access(first + i) : undefined;
      try {
        if (!existing.has(id)) devices.push(await newDevice(id, template, cells, place));
        outcomes.push({ deviceId: id, access });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        outcomes.push({ error: error.message });
      }
    }
    await this.store(application, template, devices, outcomes, by, transaction);
    return { outcomes, made: devices.map(({ id }) => id) };
  }

  private async store(
    application: OwnedApplication,
    { recipe: { attributes, keepDuplicates } }: Template,
    devices: readonly NewDevice[],
    outcomes: readonly RowOutcome[],
    by: JobRequester,
    transaction: Transaction,
  ): Promise<void> {
    if (devices.length === 0) return;
    await this.rows.assertRoom(application, 'device', devices.length, transaction);
    const common = { applicationId: application.id, keepDuplicates, ...numbered(attributes) };
    await this.rows.addDevices(common, devices, transaction);
    const names = new Map(devices.map(({ id, name }) => [id, name]));
    const keys = outcomes.flatMap(({ deviceId = '', access }) => {
      const name = names.get(deviceId);
      if (!access || name === undefined) return [];
      const { id, key, secret } = access;
      return [{ id, key, secretHash: sha256(secret), deviceId, name }];
    });
    if (keys.length === 0) return;
    await this.rows.assertRoom(application, 'applicationkey', keys.length, transaction);
    await this.rows.addKeys(application.id, keys, by, transaction);
  }

  /** Returns a cached lookup of the gateway and system of devices, since most rows of a call name the same ones. */
  private places(application: OwnedApplication, transaction: QueuedTransaction) {
    const known = new Map<string, Promise<DevicePosition>>();
    return (placed: DevicePosition): Promise<DevicePosition> => {
      const at = `${placed.gatewayId} ${placed.parentId}`;
      let settled = known.get(at);
      if (!settled)
        known.set(at, (settled = this.devices.validatePosition(application, placed, transaction)));
      return settled;
    };
  }
}

async function newDevice(
  id: string,
  template: Template,
  cells: readonly string[],
  place: (placed: DevicePosition) => Promise<DevicePosition>,
): Promise<NewDevice> {
  const { name, description, tags = [], ...rest } = deviceOf(template, cells);
  return { id, name, description, tags, ...(await place(withPosition(rest))) };
}
