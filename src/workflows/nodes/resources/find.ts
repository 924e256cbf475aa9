import { isDeepStrictEqual } from 'node:util';
import type { RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import type { Compiled } from '../../language/compile.js';
import { integerWithin } from '../run-values.js';
import * as setting from '../settings.js';
import { callApi, mapResult } from './call-api.js';

const MAX_PER_PAGE = 1_000;

/**
 * Template of an advanced query. `{"$or": []}` alone finds everything in workflows, although the API then finds nothing.
 */
export const advancedQuery: setting.Setting<Compiled<unknown>> = (raw, at) => {
  const render = setting.json(raw, at);
  return (payload) => {
    const query = render(payload);
    return isDeepStrictEqual(query, { $or: [] }) ? {} : query;
  };
};

/** Settings of nodes that find one resource or a page of them. */
export const find = setting.group({
  findMultiple: setting.flag(),
  findMetadata: setting.flag(),
  resultsPerPage: setting.number(100),
  resultsPage: setting.number(0),
  sortField: setting.template,
  sortDirection: setting.template,
});

export type Find = setting.Read<typeof find>;

/** A page, as lists of the API return it. */
interface Page {
  readonly items: readonly unknown[];
  readonly count: number;
  readonly totalCount: number;
  readonly page: number;
  readonly perPage: number;
  readonly sortField: string;
  readonly sortDirection: string;
}

/**
 * Lists resources: returns the first or `null`, or the list of a page, with its metadata if the node asks for them. A page
 * of size 0 has metadata alone.
 */
export async function findWith(
  path: RunPath,
  config: Find,
  operationId: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<ApiResult> {
  const { data } = path.payload;
  const sort = { sortField: config.sortField(data), sortDirection: config.sortDirection(data) };
  if (!config.findMultiple) {
    const answer = await callApi(path, operationId, { ...parameters, ...sort, perPage: 1 });
    return mapResult(answer, ({ items }: Page) => items[0] ?? null);
  }
  const perPage = integerWithin(config.resultsPerPage(data), 'resultsPerPage', 0, MAX_PER_PAGE);
  const page = integerWithin(config.resultsPage(data), 'resultsPage', 0, 2 ** 31 - 1);
  const asked = perPage === 0 ? { page: 0, perPage: 1 } : { page, perPage };
  const answer = await callApi(path, operationId, { ...parameters, ...sort, ...asked });
  return mapResult(answer, (found: Page) => {
    const items = perPage === 0 ? [] : found.items;
    if (!config.findMetadata) return items;
    const { totalCount, sortField, sortDirection } = found;
    return { items, count: items.length, totalCount, page, perPage, sortField, sortDirection };
  });
}
