import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { momentOf } from '../../../platform/lists/moments.js';
import { StoredPage, SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { DeviceListsRepository } from '../devices/device-lists.repository.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import type { DeviceTag } from '../devices/device.schemas.js';
import { NAMED_DEVICE, type CompositeDevice } from './composite-devices.js';
import type { CompositeStatesQuery } from './device-data.query.js';
import { DeviceSeriesRepository, type Series } from './device-series.repository.js';
import { DeviceValuesRepository } from './device-values.repository.js';
import { SelectedDevicesRepository, type SelectedDevice } from './selected-devices.repository.js';
import {
  requestedAggregation,
  readSeriesQuery,
  supportsType,
  type AggregationType,
  type TimeSeriesQuery,
} from './series-query.js';

/** Corresponds to 1,000 devices with ten attributes each. */
const MAX_SERIES = 10_000;

/** Body of a query for last values, already validated against the schema. */
export interface LastValueQuery extends DeviceSelection {
  attribute?: string;
  end?: number;
}

/**
 * A query without a device selection is a mistake: it does not select all devices, and an empty response would hide the
 * mistake.
 */
function assertSelection({ deviceIds, deviceTags, deviceQuery }: DeviceSelection): void {
  if (!deviceIds && !deviceTags && !deviceQuery)
    throw new ValidationError('query.deviceIds, query.deviceTags or query.deviceQuery is required');
}

/** Reads values of many devices. */
@Injectable()
export class DataService {
  constructor(
    private readonly lists: DeviceListsRepository,
    private readonly devices: SelectedDevicesRepository,
    private readonly series: DeviceSeriesRepository,
    private readonly values: DeviceValuesRepository,
  ) {}

  /** Returns a page of devices with the newest value of each attribute. */
  async compositeStates(
    application: ApplicationAccess,
    { list, start, end, attributes }: CompositeStatesQuery,
  ): Promise<StoredPage<CompositeDevice>> {
    const page = await this.lists.page(application, { list, queryDeleted: false }, NAMED_DEVICE);
    const ids = page.items.map((device) => device.text('id')!);
    const search = { owner: application.ownerId, parameter: 'perPage' };
    const of = { start, end, names: attributes };
    const states = await this.values.composites(application.id, ids, of, search);
    const items = page.items.map((device, i) =>
      device.withMembers({ compositeState: states.get(ids[i]!) ?? '{}' }),
    );
    return new StoredPage(items, page.envelope);
  }

  /** Returns time series of the selected devices. */
  async timeSeries(application: ApplicationAccess, asked: TimeSeriesQuery): Promise<SerializedResponse> {
    const query = readSeriesQuery(asked);
    assertSelection(asked);
    const devices = await this.devices.find(application, asked, asked.attributes);
    const series = devices.flatMap((device) => seriesOf(device, query.type));
    if (series.length > MAX_SERIES)
      throw new ValidationError(
        `query.attributes and the selected devices produce ${series.length} series; the maximum is ${MAX_SERIES}`,
      );
    const parameter = asked.start === undefined ? 'query.duration' : 'query.start';
    const search = { owner: application.ownerId, parameter };
    const points = await this.series.points(application.id, series, query, search);
    const { resolution, limit, order } = query;
    const head = JSON.stringify({
      start: new Date(query.start),
      end: new Date(query.end),
      resolution,
      aggregation: requestedAggregation(asked),
      limit,
      order,
    });
    const members = devices.map(({ id, name, tags }) => {
      const about = JSON.stringify({ name, tags: byKey(tags) }).slice(0, -1);
      return [id, `${about},"points":${points.get(id) ?? '[]'}}`] as const;
    });
    return new SerializedResponse(`${head.slice(0, -1)},"devices":${objectOf(members)}}`);
  }

  /** Returns the last values of the selected devices. */
  async lastValues(application: ApplicationAccess, asked: LastValueQuery): Promise<SerializedResponse> {
    assertSelection(asked);
    const { attribute } = asked;
    const end = momentOf('query.end', asked.end ?? 0, Date.now());
    const names = attribute === undefined ? undefined : [attribute];
    const devices = await this.devices.find(application, asked, []);
    const of = { start: new Date(0), end, names };
    const search = { owner: application.ownerId, parameter: 'query.end' };
    const ids = devices.map(({ id }) => id);
    return new SerializedResponse(objectOf(await this.values.last(application.id, ids, of, search)));
  }
}

const seriesOf = ({ id, attributes }: SelectedDevice, type: AggregationType): Series[] =>
  attributes
    .filter(({ dataType }) => supportsType(type, dataType))
    .map(({ name, number }) => ({ deviceId: id, attribute: number, name }));

/** Returns a JSON object of members by ID whose values are already JSON. */
const objectOf = (members: Iterable<readonly [string, string]>): string =>
  `{${Array.from(members, ([id, text]) => `"${id}":${text}`).join(',')}}`;

/** Groups tag values by key. */
function byKey(tags: readonly DeviceTag[]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { key, value } of tags) values.set(key, [...(values.get(key) ?? []), value]);
  return Object.fromEntries(values);
}
