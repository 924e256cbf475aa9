import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ApplicationAccess, OwnedApplication } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction, type QueuedTransaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { DEVICE_PURGE } from '../device-removal/device-removal.jobs.js';
import { DeviceListsRepository } from './device-lists.repository.js';
import { shapeOf, type DeviceForm } from './device.forms.js';
import type { Device, DevicePatch, DevicePost } from './device.resource.js';
import {
  checkAttributes,
  removedNumbers,
  intervalOf,
  newDevice,
  numbered,
  withPosition,
  type DevicePosition,
} from './device.rules.js';
import type { DeviceClass } from './device.schemas.js';
import type { DevicesQuery } from './devices.query.js';
import { DevicesRepository } from './devices.repository.js';
import { NewDevices } from './new-devices.js';

/** Maximum number of nested levels of systems. */
const MAX_LEVELS = 100;

/** Planned changes to a device, including the numbers of its attributes; `null` clears a description. */
export type DevicePlan = Omit<DevicePatch, 'description'> & { description?: string | null } & Partial<
    Pick<Device, 'attributeNumbers' | 'nextAttributeNumber'>
  >;

/** Callback that runs in the transaction that changes a device. */
export type TransactionHook = (transaction: Transaction) => Promise<void>;

/** Manages the devices of applications. */
@Injectable()
export class DevicesService {
  constructor(
    private readonly devices: DevicesRepository,
    private readonly lists: DeviceListsRepository,
    private readonly created: NewDevices,
    private readonly database: Database,
    private readonly cache: AccessCache,
    private readonly jobs: JobsService,
  ) {}

  list(application: ApplicationAccess, query: DevicesQuery): Promise<StoredPage<Device>> {
    const deviceClass = query.deviceClass && [...new Set([query.deviceClass].flat())];
    return this.lists.page(application, { ...query, deviceClass }, shapeOf(query));
  }

  get(application: ApplicationAccess, id: string, form: DeviceForm): Promise<StoredResource<Device>> {
    return this.devices.findOneFor(application, id, form);
  }

  /** Creates a device and runs the workflows with a trigger for new devices. */
  async create(
    application: ApplicationAccess,
    post: DevicePost,
    by: Author,
  ): Promise<StoredResource<Device>> {
    const device = await this.store(application, post, by);
    await this.created.publish(application.id, [device], by);
    return device;
  }

  /**
   * Updates a device. Tags, class and gateway determine who can authenticate and subscribe, so cached access is dropped
   * if they change.
   */
  async patch(
    application: ApplicationAccess,
    id: string,
    patch: DevicePatch,
    by: Author,
  ): Promise<StoredResource<Device>> {
    const changed = await this.update(application, id, patch, by);
    if (patch.tags ?? patch.deviceClass ?? patch.gatewayId) await this.cache.evict(id);
    return changed;
  }

  async delete(
    application: ApplicationAccess,
    id: string,
    by: Author,
    beside?: TransactionHook,
  ): Promise<Success> {
    const end = (transaction?: Transaction) =>
      this.devices.update(application.id, id, { deletedAt: new Date() }, by, transaction);
    if (!beside) await end();
    else
      await this.database.transaction(async (transaction) => {
        await end(transaction);
        await beside(transaction);
      });
    await this.cache.evict(id);
    return new Success();
  }

  /** Restores a deleted device; throws a 400 error if the owner would exceed its limit. */
  async restore(
    application: ApplicationAccess,
    id: string,
    by: Author,
    beside?: TransactionHook,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.devices.restore(application, id, by, transaction);
      await beside?.(transaction);
    });
    await this.cache.evict(id);
  }

  /** Applies the change that `plan` returns for the stored device; returns `undefined` if nothing changes. */
  async updateWith(
    application: ApplicationAccess,
    id: string,
    by: Author,
    plan: (stored: Device) => DevicePlan | undefined,
    beside?: TransactionHook,
  ): Promise<StoredResource<Device> | undefined> {
    const changed = await this.updateLocked(application, id, by, plan, beside);
    if (changed) await this.cache.evict(id);
    return changed;
  }

  private async update(
    application: ApplicationAccess,
    id: string,
    patch: DevicePatch,
    by: Author,
  ): Promise<StoredResource<Device>> {
    const { deviceClass, gatewayId, parentId, systemInterval, attributes, ...rest } = patch;
    const place = { deviceClass, gatewayId, parentId, systemInterval };
    const isMoved = Object.values(place).some((value) => value !== undefined);
    if (!isMoved && attributes === undefined) return this.devices.update(application.id, id, rest, by);
    const changed = await this.updateLocked(application, id, by, (stored) => ({
      ...patch,
      ...(attributes ? numbered(attributes, stored) : {}),
    }));
    return changed!;
  }

  /** Locks the row while validating against the rest of the device, so that concurrent changes are not lost. */
  private updateLocked(
    application: ApplicationAccess,
    id: string,
    by: Author,
    plan: (stored: Device) => DevicePlan | undefined,
    beside?: TransactionHook,
  ): Promise<StoredResource<Device> | undefined> {
    return this.database.queuedTransaction(application.id, async (transaction) => {
      const stored = await this.devices.lock(application.id, id, transaction);
      const planned = plan(stored);
      if (!planned) return undefined;
      const { deviceClass, gatewayId, parentId, systemInterval, ...rest } = planned;
      const place = { deviceClass, gatewayId, parentId, systemInterval };
      const isMoved = Object.values(place).some((value) => value !== undefined);
      const placed = withPosition(place, positionOf(stored));
      checkAttributes(rest.attributes ?? stored.attributes, placed.deviceClass);
      const settled = isMoved ? await this.validatePosition(application, placed, transaction, stored) : {};
      const changed = await this.devices.update(application.id, id, { ...rest, ...settled }, by, transaction);
      const gone = removedNumbers(stored, rest).map((attribute) => ({
        applicationId: application.id,
        id,
        attribute,
      }));
      if (gone.length > 0) await this.jobs.enqueue(transaction, DEVICE_PURGE, { gone }, by);
      await beside?.(transaction);
      return changed;
    });
  }

  /** Stores an independent device in one statement; otherwise checks its references in the same transaction. */
  private store(
    application: ApplicationAccess,
    post: DevicePost,
    by: Author,
  ): Promise<StoredResource<Device>> {
    const row = newDevice(post);
    if (row.deviceClass !== 'system' && !row.gatewayId && !row.parentId)
      return this.devices.addToApplication(application, row, by);
    return this.database.queuedTransaction(application.id, async (transaction) => {
      const settled = await this.validatePosition(application, positionOf(row), transaction);
      return this.devices.addToApplication(application, { ...row, ...settled }, by, transaction);
    });
  }

  /**
   * Validates the position of a device; throws a 400 error if a reference does not exist or is not suitable. References
   * that equal those of `stored` are not checked again.
   */
  async validatePosition(
    application: OwnedApplication,
    placed: DevicePosition,
    transaction: QueuedTransaction,
    stored?: Device,
  ): Promise<DevicePosition> {
    const { gatewayId, parentId, deviceClass } = placed;
    if (gatewayId && gatewayId !== stored?.gatewayId)
      await this.assertGateway(application.id, gatewayId, transaction);
    if (stored && isGateway(stored.deviceClass) && !isGateway(deviceClass))
      await this.assertNoPeripherals(stored.id, transaction);
    if (parentId && parentId !== stored?.parentId)
      await this.assertParent(application.id, parentId, deviceClass === 'system', transaction, stored?.id);
    if (deviceClass !== 'system' || (stored && placed.systemInterval === stored.systemInterval))
      return placed;
    const min = await this.devices.minInterval(application, transaction);
    return { ...placed, systemInterval: intervalOf(placed.systemInterval, min) };
  }

  private async assertGateway(applicationId: string, id: string, transaction: Transaction): Promise<void> {
    const deviceClass = await this.devices.classOf(applicationId, id, transaction);
    if (!deviceClass || !isGateway(deviceClass))
      throw new ValidationError(
        'device.gatewayId is not a gateway or edge compute device of the application',
      );
  }

  private async assertNoPeripherals(id: string, transaction: Transaction): Promise<void> {
    if (await this.devices.hasPeripherals(id, transaction))
      throw new ValidationError('device.deviceClass cannot change while it is the gateway of peripherals');
    await this.devices.detachDeleted(id, transaction);
  }

  /** Serializes moves of systems within an application, so that two concurrent moves cannot create a cycle. */
  private async assertParent(
    applicationId: string,
    parentId: string,
    isSystem: boolean,
    transaction: QueuedTransaction,
    ownId?: string,
  ): Promise<void> {
    if (isSystem) await this.devices.lockHierarchy(applicationId, transaction);
    const line = await this.devices.lineOf(
      applicationId,
      parentId,
      isSystem ? ownId : undefined,
      transaction,
    );
    if (!line) throw new ValidationError('device.parentId is not a system of the application');
    if (line.hasItself)
      throw new ValidationError('device.parentId is the device itself or one of its descendants');
    if (isSystem && line.levels > MAX_LEVELS)
      throw new ValidationError(`device.parentId would nest systems more than ${MAX_LEVELS} levels deep`);
  }
}

const positionOf = ({
  deviceClass,
  gatewayId,
  parentId,
  systemInterval,
}: Pick<Device, keyof DevicePosition>): DevicePosition => ({
  deviceClass,
  gatewayId: gatewayId ?? null,
  parentId: parentId ?? null,
  systemInterval: systemInterval ?? null,
});

/** Returns whether peripherals can connect through a device of this class. */
const isGateway = (deviceClass: DeviceClass): boolean =>
  deviceClass === 'gateway' || deviceClass === 'edgeCompute';
