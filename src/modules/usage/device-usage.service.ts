import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import { HOUR_MS, partsOf, stepsOf } from './usage-window.js';
import type { DevicePayloadsBreakdownQuery, RecentUsageQuery } from './usage.query.js';
import { UsageRepository } from './usage.repository.js';
import { DEVICE_PAYLOADS } from './usage.schemas.js';
import { payloadStepsOf, type Steps } from './usage.service.js';

/** What devices get and send. */
@Injectable()
export class DeviceUsageService {
  constructor(
    private readonly devices: DevicesRepository,
    private readonly usage: UsageRepository,
  ) {}

  /** The payloads of a device in a time, by type. */
  async payloadCounts(application: ApplicationAccess, id: string, query: RecentUsageQuery): Promise<object> {
    const { span, parts } = partsOf(query);
    await this.devices.obtainFor(application, id);
    const counts: Record<string, number> = Object.fromEntries(DEVICE_PAYLOADS.map((type) => [type, 0]));
    for (const { type, n } of await this.usage.devicePayloads(application.id, id, span, parts))
      counts[type] = (counts[type] ?? 0) + n;
    return counts;
  }

  /** The same in steps of time. */
  async payloadCountsBreakdown(
    application: ApplicationAccess,
    id: string,
    { resolution, ...asked }: DevicePayloadsBreakdownQuery,
  ): Promise<Steps> {
    const length = Number(resolution);
    const span = stepsOf(asked, length);
    await this.devices.obtainFor(application, id);
    const counted = await this.usage.devicePayloadSteps(
      application.id,
      id,
      span,
      length === HOUR_MS ? 1 : 24,
    );
    return payloadStepsOf(counted, span, length, false);
  }
}
