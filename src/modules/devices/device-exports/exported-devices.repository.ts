import { Injectable } from '@nestjs/common';
import type { DeviceReach } from '../../../platform/access/principal-data.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { prepared, shaped } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { DEVICE_QUERY_FIELDS, deviceQueryFields } from '../devices/device-query.columns.js';
import {
  reachSql,
  selectedDevices,
  selectionSql,
  type Finding,
  type FollowedGroups,
} from '../devices/device-selection.columns.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { resolveGroups, pageResolution } from '../devices/resolved-groups.js';
import { DEVICES } from '../devices/device.resource.js';
import type { DataType, DeviceTag } from '../devices/device.schemas.js';
import type { ExportedPoint, FindPoints } from './point-rows.js';

/** Attribute with the number that its points reference. */
export interface ExportedAttribute {
  name: string;
  dataType: DataType;
  number: number;
}

/** Device whose data is exported. */
export interface ExportedDevice {
  id: string;
  name: string;
  attributes: ExportedAttribute[];
}

/** Devices of an application to export: the selected devices that the caller can access. */
export interface SelectedDevices {
  applicationId: string;
  selection: DeviceSelection;
  /** Devices to exclude from the selection. */
  except?: DeviceSelection;
  reach?: DeviceReach;
}

/** Device as shown in lists. */
export interface ListedDevice {
  id: string;
  name: string;
  description: string | null;
  deviceClass: string;
  tags: DeviceTag[];
}

/** Names of a device and of its application. */
export interface NamedDevice {
  name: string;
  applicationName: string;
}

/** Points to read: those of a device before `end`, in milliseconds since 1970. */
export interface PointsOf {
  applicationId: string;
  deviceId: string;
  end: number;
}

const APPLICATION = 'SELECT a.name FROM applications a WHERE a.id = $1';
const DEVICE_NAME = `SELECT t.name, a.name AS application_name FROM devices t JOIN applications a ON a.id = t.application_id
  WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`;
/** Devices per page. Large columns of a device are not read. */
const PAGE = 100;
const ATTRIBUTES = `coalesce((SELECT jsonb_agg(jsonb_build_object('name', a.value->'name', 'dataType', a.value->'dataType',
    'number', t.attribute_numbers->(a.value->>'name')) ORDER BY a.ordinality)
  FROM jsonb_array_elements(t.attributes) WITH ORDINALITY a), '[]')`;
/** Reads up to one page per attribute, each by an index lookup. */
const POINTS = `SELECT w.attribute, p.time, p.number, p.boolean, p.text
  FROM unnest($4::int[], $5::bigint[], $6::int[]) w (attribute, after, most) CROSS JOIN LATERAL (
    SELECT p.time, p.number, p.boolean, p.text FROM device_points p
    WHERE p.application_id = $1 AND p.device_id = $2 AND p.attribute = w.attribute AND p.time > w.after AND p.time < $3
    ORDER BY p.time LIMIT w.most) p
  ORDER BY p.time`;

interface PointColumns {
  attribute: number;
  time: number;
  number: number | null;
  boolean: boolean | null;
  text: string | null;
}

/** Reads the devices and points for exports. */
@Injectable()
export class ExportedDevicesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the names of a device and its application; throws a 404 error if the caller cannot access the device. */
  async named(application: ApplicationAccess, deviceId: string): Promise<NamedDevice> {
    const values: unknown[] = [application.id, deviceId];
    const text = `${DEVICE_NAME} AND ${reachSql(application, values)}`;
    const [device] = await this.database.rows<NamedDevice>(prepared(text, values));
    if (!device) throw new NotFound(DEVICES.title);
    return device;
  }

  /** Returns a page of the selected devices with an ID greater than `after`, sorted by ID. */
  page(devices: SelectedDevices, after: string): Promise<ExportedDevice[]> {
    return this.pageOf(`t.id, t.name, ${ATTRIBUTES} AS attributes`, devices, after);
  }

  /** Returns a page of the selected devices for list exports. */
  listPage(devices: SelectedDevices, after: string): Promise<ListedDevice[]> {
    return this.pageOf('t.id, t.name, t.description, t.device_class, t.tags', devices, after);
  }

  /** Counts the selected devices. */
  async count(devices: SelectedDevices): Promise<number> {
    const followed = await this.resolveGroups(devices);
    const values: unknown[] = [devices.applicationId];
    const { table, where } = selected(devices, values, { followed });
    const text = `SELECT count(*) FROM ${table} t
      WHERE t.application_id = $1 AND t.deleted_at IS NULL AND ${where}`;
    const [row] = await this.database.run(shaped(text, values));
    return Number(row![0]);
  }

  /** Returns the name of an application. */
  async nameOf(applicationId: string): Promise<string> {
    const [row] = await this.database.run(prepared(APPLICATION, [applicationId]));
    return row?.[0] ?? '';
  }

  /** Throws a `ValidationError` if the query is invalid; `name` is the property that contains it. */
  checkQuery(query: object, name: string): void {
    compileAdvancedQuery(query, DEVICE_QUERY_FIELDS, [], name);
  }

  /** Returns a function that finds the next points of a device. */
  pointsOf({ applicationId, deviceId, end }: PointsOf): FindPoints {
    return async (wanted) => {
      const columns = [
        wanted.map(({ attribute }) => attribute),
        wanted.map(({ after }) => after),
        wanted.map(({ limit: max }) => max),
      ];
      const found = await this.database.rows<PointColumns>(
        prepared(POINTS, [applicationId, deviceId, end, ...columns]),
      );
      return found.map(pointOf);
    };
  }

  private async pageOf<T extends object>(
    columns: string,
    devices: SelectedDevices,
    after: string,
  ): Promise<T[]> {
    const followed = await this.resolveGroups(devices);
    const values: unknown[] = [devices.applicationId, after, PAGE];
    const { table, where, id } = selected(devices, values, { followed, after: '$2' });
    const text = `SELECT ${columns} FROM ${table} t
      WHERE t.application_id = $1 AND t.deleted_at IS NULL AND ${where} ORDER BY ${id} LIMIT $3`;
    return this.database.rows(shaped(text, values));
  }

  private resolveGroups({ applicationId, selection, except }: SelectedDevices): Promise<FollowedGroups> {
    const queries = [selection.deviceQuery ?? {}, except?.deviceQuery ?? {}];
    return resolveGroups(
      queries,
      deviceQueryFields,
      pageResolution(this.database, applicationId, 'deviceQuery'),
    );
  }
}

const pointOf = ({ attribute, time, number, boolean, text }: PointColumns): ExportedPoint => ({
  attribute,
  time,
  value: number ?? boolean ?? text ?? '',
});

function selected(
  { applicationId, selection, except, reach }: SelectedDevices,
  values: unknown[],
  finding: Finding,
): ReturnType<typeof selectedDevices> {
  const found = selectedDevices(applicationId, selection, values, finding);
  const conditions = [found.where, reachSql({ devices: reach }, values)];
  if (except) conditions.push(`NOT (${selectionSql(except, values, finding.followed)})`);
  return { ...found, where: conditions.join(' AND ') };
}
