import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { NONBILLABLE_PAYLOADS } from '../../../platform/payloads/payload-types.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import { HOUR_MS, partsOf, stepsOf } from './usage-window.js';
import type { DevicePayloadsBreakdownQuery, RecentUsageQuery } from './usage.query.js';
import { UsageRepository } from './usage.repository.js';
import { DEVICE_PAYLOADS, type DevicePayload } from './usage.schemas.js';
import { payloadStepsOf, type Steps } from './usage.service.js';

/** Returns payload counts of devices. */
@Injectable()
export class DeviceUsageService {
  constructor(
    private readonly devices: DevicesRepository,
    private readonly usage: UsageRepository,
  ) {}

  /** Returns the payload counts of a device within a time range, by type. */
  async payloadCounts(application: ApplicationAccess, id: string, query: RecentUsageQuery): Promise<object> {
    partsOf(query);
    await this.devices.findOneFor(application, id);
    const counts = await this.payloadCountsOfAll(application.id, [id], query);
    return counts.get(id)!;
  }

  /** Returns the payload counts of several devices of an application, by device and type. */
  async payloadCountsOfAll(
    applicationId: string,
    ids: readonly string[],
    time: RecentUsageQuery,
  ): Promise<Map<string, Record<DevicePayload, number>>> {
    const { span, parts } = partsOf(time);
    const counts = new Map(ids.map((id) => [id, noPayloads()]));
    for (const { deviceId, type, n } of await this.usage.devicePayloads(applicationId, ids, span, parts))
      counts.get(deviceId)![type as DevicePayload] += n;
    return counts;
  }

  /** Returns the payload counts of a device in steps. */
  async payloadCountsBreakdown(
    application: ApplicationAccess,
    id: string,
    { resolution, ...asked }: DevicePayloadsBreakdownQuery,
  ): Promise<Steps> {
    const length = Number(resolution);
    const span = stepsOf(asked, length);
    await this.devices.findOneFor(application, id);
    const counted = await this.usage.devicePayloadSteps(
      application.id,
      id,
      span,
      length === HOUR_MS ? 1 : 24,
      NONBILLABLE_PAYLOADS,
    );
    return payloadStepsOf(counted, span, length, false);
  }
}

const noPayloads = () =>
  Object.fromEntries(DEVICE_PAYLOADS.map((type) => [type, 0])) as Record<DevicePayload, number>;
