import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BatchLoader } from '../../lib/async/batch-loader.js';
import { Atomic } from '../../platform/database/atomic.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { FilterTree } from '../../platform/topics/filter-tree.js';

/** Topic filters of the triggers of an application, as read at a time. */
interface KnownFilters {
  readonly tree: FilterTree<string>;
  readonly readAt: number;
  isRefreshing: boolean;
}

const FILTERS = `SELECT r.n, f.key FROM unnest($1::text[]) WITH ORDINALITY r (application_id, n)
  CROSS JOIN LATERAL (SELECT DISTINCT g.key FROM flow_triggers g
    JOIN LATERAL (SELECT FROM flows f WHERE f.id = g.flow_id AND f.flow_class = 'cloud' OFFSET 0) f ON true
    WHERE g.application_id = r.application_id AND g.version = 'default' AND g.type = 'mqttTopic' OFFSET 0) f`;
const MAX_BATCH = 200;
const MAX_KNOWN = 10_000;
/** Age in milliseconds at which filters are read again, and at which they are not used any more. */
const REFRESH_MS = 500;
const MAX_AGE_MS = 1_000;

/**
 * Finds the topic filters of workflows that match a message. Messages arrive far more often than workflows change, so the
 * filters of an application are kept for a second.
 */
@Injectable()
export class MessageTriggers {
  private readonly known = new LRUCache<string, KnownFilters>({ max: MAX_KNOWN });
  private readonly loader = new BatchLoader(
    // Others share the result, so it must not come from the transaction of one caller.
    (applicationIds: readonly string[]) => Atomic.outside(() => this.read(applicationIds)),
    MAX_BATCH,
  );

  constructor(private readonly database: Database) {}

  /**
   * Returns the filters that match a topic: at once if they are known, with those of workflows that were saved up to a
   * second ago possibly missing; otherwise as a promise.
   */
  matching(applicationId: string, topic: string): readonly string[] | Promise<readonly string[]> {
    const known = this.known.get(applicationId);
    const age = known ? Date.now() - known.readAt : Infinity;
    if (!known || age > MAX_AGE_MS) return this.fresh(applicationId, topic);
    if (age > REFRESH_MS && !known.isRefreshing) {
      known.isRefreshing = true;
      this.load(applicationId).catch(() => (known.isRefreshing = false));
    }
    return matches(known.tree, topic);
  }

  /** Like `matching`, with all workflows that were saved before the call. */
  async fresh(applicationId: string, topic: string): Promise<readonly string[]> {
    return matches(await this.load(applicationId), topic);
  }

  private async load(applicationId: string): Promise<FilterTree<string>> {
    const readAt = Date.now();
    const filters = await this.loader.load(applicationId);
    const tree = new FilterTree<string>();
    for (const filter of filters) tree.add(filter, filter);
    this.known.set(applicationId, { tree, readAt, isRefreshing: false });
    return tree;
  }

  private async read(applicationIds: readonly string[]): Promise<string[][]> {
    const filters: string[][] = applicationIds.map(() => []);
    const rows = await this.database.run(prepared(FILTERS, [applicationIds]));
    for (const [n, key] of rows) filters[Number(n) - 1]!.push(key!);
    return filters;
  }
}

const NONE: readonly string[] = [];

function matches(tree: FilterTree<string>, topic: string): readonly string[] {
  if (tree.size === 0) return NONE;
  const found: string[] = [];
  tree.match(topic, (filter) => found.push(filter));
  return found;
}
