import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import type { CompositeStateQuery, DeviceStatesQuery } from './device-data.query.js';
import { DeviceValuesRepository } from './device-values.repository.js';

/** Reads the stored values of single devices. */
@Injectable()
export class DeviceDataService {
  constructor(private readonly values: DeviceValuesRepository) {}

  /** Returns reports of a device. */
  async states(
    application: ApplicationAccess,
    deviceId: string,
    { since, start, end = new Date(), duration, limit, sortDirection }: DeviceStatesQuery,
  ): Promise<SerializedResponse> {
    const earliest = start?.getTime() ?? (duration === undefined ? 0 : end.getTime() - duration);
    const from = new Date(Math.max(earliest, since?.getTime() ?? 0));
    const of = { start: from, end, limit, direction: sortDirection };
    return new SerializedResponse(await this.values.reports(application, deviceId, of));
  }

  /** Returns the newest value of each attribute of a device. */
  async compositeState(
    application: ApplicationAccess,
    deviceId: string,
    { start, end, attributes }: CompositeStateQuery,
  ): Promise<SerializedResponse> {
    const of = { start, end, names: attributes };
    return new SerializedResponse(await this.values.composite(application, deviceId, of));
  }
}
