import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { QUERY_READ_LIMIT, storedQueries } from '../../devices/devices/resolved-groups.js';
import { countDevicesSql, queriesSql, type Extent } from './group-devices.columns.js';

/** Repository of the devices of experience groups. */
@Injectable()
export class GroupDevicesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts the distinct devices of a group, with or without its descendants. Counting is subject to the search limits,
   * because queries are written by callers; `parameter` is the name in error messages.
   */
  async count(
    { id, ownerId }: OwnedApplication,
    groupId: string,
    extent: Extent,
    parameter: string,
  ): Promise<number> {
    const search = { owner: ownerId, parameter };
    const asked = prepared(queriesSql(extent, QUERY_READ_LIMIT), [id, groupId]);
    const rows = await this.database.search(asked, search);
    const queries = storedQueries(
      rows.map(([text, group]) => [text!, group!]),
      parameter,
    );
    const values: unknown[] = [id, groupId];
    const text = countDevicesSql(extent, id, queries, values);
    const [row] = await this.database.search({ text, values }, search);
    return Number(row![0]);
  }
}
