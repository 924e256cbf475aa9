import { Injectable } from '@nestjs/common';
import type { Bundled } from '../../../../platform/bundles/bundled.js';
import { ValidationError } from '../../../../lib/errors/errors.js';
import { ImportedRowsRepository, type FoundResource, type NaturalKey } from '../imported-rows.repository.js';
import type { ImportTask } from '../asked/import-task.js';
import type { JsonLines } from '../fetched/json-lines.js';
import type { ExistingResources } from './planned-rows.js';
import { plainType, type StagedBundle, type StagedResource } from '../fetched/staged-bundle.js';

const BATCH = 500;

/** Matches resources of a bundle to existing ones: the same family and name is the same resource. */
@Injectable()
export class ConflictResolver {
  constructor(private readonly rows: ImportedRowsRepository) {}

  /**
   * Applies `conflictBehavior` to existing resources and redirects references to their IDs. Throws `400` for `error` if
   * there is a conflict.
   */
  async resolve(
    task: ImportTask,
    chosen: readonly Bundled[],
    staged: StagedBundle,
  ): Promise<ExistingResources | undefined> {
    if (task.conflictBehavior === 'create') return undefined;
    const retained = new Map<string, string>();
    const replaced = new Map<string, string>();
    for (const bundle of chosen) {
      // Files are matched by path when they are stored.
      if (bundle.content?.kind === 'blob') continue;
      const lines = staged.resources.get(bundle);
      if (!lines) continue;
      for await (const { item, id, generated } of this.found(task, bundle, lines, staged)) {
        if (task.conflictBehavior === 'error')
          throw new ValidationError(
            `${plainType(bundle.resourceType)} ${JSON.stringify(nameOf(bundle, item).slice(0, 255))} already exists`,
          );
        for (const [property, own] of Object.entries({ ...generated, id })) {
          const old = item.resource[property];
          if (typeof old === 'string') staged.ids.set(old, own);
        }
        if (task.conflictBehavior === 'retain' || bundle.neverReplaced) retained.set(item.id, id);
        else replaced.set(item.id, id);
      }
    }
    return { retained, replaced };
  }

  private async *found(
    { application }: ImportTask,
    bundle: Bundled,
    lines: JsonLines<StagedResource>,
    { ids }: StagedBundle,
  ): AsyncGenerator<FoundResource & { item: StagedResource }> {
    for await (const items of lines.batches(BATCH)) {
      const keys = items.map((item) =>
        keyOf(bundle, JSON.parse(ids.replaceIn(JSON.stringify(item))) as StagedResource),
      );
      const there = await this.rows.found(bundle, application.id, keys);
      for (const [i, item] of items.entries()) {
        const found = there.get(JSON.stringify(keys[i]));
        if (found) yield { ...found, item };
      }
    }
  }
}

/** Returns the natural key of a resource in its application. */
const keyOf = ({ nameProperty, identity }: Bundled, { resource }: StagedResource): NaturalKey =>
  [nameProperty, ...identity].map((property) => textOf(resource[property]));

const nameOf = ({ nameProperty }: Bundled, { resource }: StagedResource): string =>
  textOf(resource[nameProperty]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
