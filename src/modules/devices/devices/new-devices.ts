import { Injectable, Logger } from '@nestjs/common';
import { channelOf, type Author } from '../../../platform/audit/author.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { DeviceTriggers } from '../device-triggers/device-triggers.js';
import type { Device } from './device.resource.js';
import { DevicesRepository } from './devices.repository.js';

/** Announces new devices: runs the workflows with a trigger for new devices, and counts the payloads sent to them. */
@Injectable()
export class NewDevices {
  private readonly logger = new Logger(NewDevices.name);

  constructor(
    private readonly devices: DevicesRepository,
    private readonly triggers: DeviceTriggers,
  ) {}

  /** Must be called after the devices are stored. They are kept even if this fails. */
  async publish(
    applicationId: string,
    created: readonly StoredResource<Device>[],
    by: Pick<Author, 'type'>,
  ): Promise<void> {
    const moments = created.map((stored) => {
      const device = stored.toObject();
      const { id, tags, creationDate: time } = device;
      return { device: { id, applicationId, tags }, time, data: { device } };
    });
    const bytes = moments.map(({ data }) => Buffer.byteLength(JSON.stringify(data.device)));
    const ids = moments.map(({ device }) => device.id);
    try {
      await Promise.all([
        this.triggers.created(moments),
        this.devices.countCreated(applicationId, ids, bytes, channelOf(by.type)),
      ]);
    } catch (error) {
      this.logger.warn(`Could not announce new devices: ${(error as Error).message}`);
    }
  }
}
