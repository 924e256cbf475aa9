import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../platform/access/request.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { ValidationError } from '../../platform/errors/errors.js';
import { countDevicesSql, queriesSql, type Extent } from './group-devices.columns.js';

/** How many queries of groups are counted together, and how many characters they may have. */
const MOST_QUERIES = 1000;
const LONGEST_QUERIES = 256 * 1024;

/** The devices that experience groups are about. */
@Injectable()
export class GroupDevicesRepository {
  constructor(private readonly database: Database) {}

  /**
   * How many devices a group is about, alone or with all below it, each counted once. Queries are what callers shaped, so
   * counting is a search; `parameter` is what asked for it.
   */
  async count(
    { id, ownerId }: OwnedApplication,
    groupId: string,
    extent: Extent,
    parameter: string,
  ): Promise<number> {
    const search = { owner: ownerId, parameter };
    const asked = prepared(queriesSql(extent, MOST_QUERIES + 1), [id, groupId]);
    const texts = (await this.database.search(asked, search)).map(([text]) => text!);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (texts.length > MOST_QUERIES || length > LONGEST_QUERIES)
      throw new ValidationError(
        `${parameter} cannot be answered: the groups have more than ${MOST_QUERIES} queries, or ${LONGEST_QUERIES} characters of them`,
      );
    const values: unknown[] = [id, groupId];
    const queries = texts.map((text) => JSON.parse(text) as object);
    const text = countDevicesSql(extent, id, queries, values);
    const [row] = await this.database.search({ text, values }, search);
    return Number(row![0]);
  }
}
