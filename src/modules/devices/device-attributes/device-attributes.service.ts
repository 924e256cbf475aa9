import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { Page } from '../../../platform/lists/page.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { DEVICE_PURGE } from '../device-removal/device-removal.jobs.js';
import type { Device } from '../devices/device.resource.js';
import { checkAttribute, lowerCaseIds } from '../devices/device.rules.js';
import type { StoredAttribute } from '../devices/device.schemas.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import type {
  DeviceAttribute,
  DeviceAttributePatch,
  DeviceAttributePost,
} from './device-attribute.resource.js';
import { DeviceAttributesRepository } from './device-attributes.repository.js';
import {
  attributeNamed,
  withAttribute,
  withAttributeChanged,
  withoutAttribute,
  type NumberedAttributes,
} from './device-attributes.rules.js';

/** Manages single attributes of devices. */
@Injectable()
export class DeviceAttributesService {
  constructor(
    private readonly attributes: DeviceAttributesRepository,
    private readonly devices: DevicesRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
  ) {}

  async list(
    application: ApplicationAccess,
    deviceId: string,
    list: ListParameters,
  ): Promise<Page<DeviceAttribute>> {
    const attributes = await this.attributes.list(application, deviceId, list);
    const items = attributes.map((attribute) => shown(application, deviceId, attribute));
    const { sortField, sortDirection, filterField, filter } = list;
    const envelope = {
      applicationId: application.id,
      deviceId,
      sortField,
      sortDirection,
      filterField,
      filter,
    };
    return { items, count: items.length, totalCount: items.length, ...envelope };
  }

  async get(application: ApplicationAccess, deviceId: string, name: string): Promise<DeviceAttribute> {
    const device = await this.devices.findOneFor(application, deviceId);
    const attributes = JSON.parse(device.text('attributes')!) as StoredAttribute[];
    return shown(application, deviceId, attributeNamed({ attributes }, name));
  }

  create(
    application: ApplicationAccess,
    deviceId: string,
    post: DeviceAttributePost,
    by: Author,
  ): Promise<DeviceAttribute> {
    return this.change(application, deviceId, by, post.name, (device) =>
      withAttribute(device, lowerCaseIds(post)),
    );
  }

  patch(
    application: ApplicationAccess,
    deviceId: string,
    name: string,
    patch: DeviceAttributePatch,
    by: Author,
  ): Promise<DeviceAttribute> {
    return this.change(application, deviceId, by, patch.name ?? name, (device) =>
      withAttributeChanged(device, name, lowerCaseIds(patch)),
    );
  }

  async delete(application: ApplicationAccess, deviceId: string, name: string, by: Author): Promise<Success> {
    await this.store(
      application,
      deviceId,
      by,
      (device) => withoutAttribute(device, name),
      async ({ attributeNumbers }, transaction) => {
        const gone = [{ applicationId: application.id, id: deviceId, attribute: attributeNumbers[name] }];
        await this.jobs.enqueue(transaction, DEVICE_PURGE, { gone }, by);
      },
    );
    return new Success();
  }

  /** Applies a change and returns the attribute named `name` after the change. */
  private async change(
    application: ApplicationAccess,
    deviceId: string,
    by: Author,
    name: string,
    act: (device: Device) => NumberedAttributes,
  ): Promise<DeviceAttribute> {
    const changed = await this.store(application, deviceId, by, (device) => {
      const acted = act(device);
      checkAttribute(attributeNamed(acted, name), device.deviceClass, 'deviceAttribute');
      return acted;
    });
    return shown(application, deviceId, attributeNamed(changed, name));
  }

  /**
   * Serializes changes because names must be unique within the row: the second of two concurrent changes sees the
   * first.
   */
  private store(
    application: ApplicationAccess,
    deviceId: string,
    by: Author,
    act: (device: Device) => NumberedAttributes,
    also?: (before: Device, transaction: Transaction) => Promise<void>,
  ): Promise<NumberedAttributes> {
    return this.database.transaction(async (transaction) => {
      const device = await this.devices.lock(application.id, deviceId, transaction);
      const { attributes, attributeNumbers, nextAttributeNumber } = act(device);
      const changed = { attributes, attributeNumbers, nextAttributeNumber };
      await this.devices.update(application.id, deviceId, changed, by, transaction);
      await also?.(device, transaction);
      return changed;
    });
  }
}

const shown = ({ id }: ApplicationAccess, deviceId: string, attribute: StoredAttribute): DeviceAttribute => ({
  ...attribute,
  applicationId: id,
  deviceId,
});
