import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { AttributeNamesQuery, DeviceNamesQuery, TagValuesQuery } from './device-names.query.js';
import { DeviceNamesRepository } from './device-names.repository.js';
import type {
  AttributeNamesResponse,
  DeviceNamesResponse,
  TagKeysResponse,
  TagValuesResponse,
} from './device-names.resource.js';

/** Provides the names that a user interface suggests while the user types. */
@Injectable()
export class DeviceNamesService {
  constructor(private readonly names: DeviceNamesRepository) {}

  async tagKeys(application: ApplicationAccess, query: DeviceNamesQuery): Promise<TagKeysResponse> {
    return { tagKeys: await this.names.tagKeys(application, query) };
  }

  async tagValues(application: ApplicationAccess, query: TagValuesQuery): Promise<TagValuesResponse> {
    return { tagKey: query.key, tagValues: await this.names.tagValues(application, query.key, query) };
  }

  async attributeNames(
    application: ApplicationAccess,
    query: AttributeNamesQuery,
  ): Promise<AttributeNamesResponse> {
    const dataTypes = query.dataType && [query.dataType].flat();
    return { attributeNames: await this.names.attributeNames(application, dataTypes, query) };
  }

  async deviceNames(application: ApplicationAccess, query: DeviceNamesQuery): Promise<DeviceNamesResponse> {
    return { deviceSummary: await this.names.devices(application, query) };
  }
}
