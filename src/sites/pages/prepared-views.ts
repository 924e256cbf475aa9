import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { WorkBudget } from '../../lib/async/work-budget.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { ProcessorTurns } from '../../workflows/engine/processor-turns.js';
import { SyntaxFault } from '../../workflows/language/syntax-fault.js';
import type { PreparedView } from '../../workflows/language/views/rendering.js';
import { prepareView } from '../../workflows/language/views/view-dialect.js';
import {
  VersionsRepository,
  type VersionKey,
  type ViewBody,
  type ViewRow,
} from '../versions/versions.repository.js';

/** Maximum number of characters of the bodies of prepared views. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Names of components that a view calls by a text, so that they are read together with it. */
const CALLED = /\bcomponent\s+(?:"([^"]{1,255})"|'([^']{1,255})')/g;

/** A view with the components that it calls by a text. */
export interface LoadedView extends PreparedView {
  readonly called: readonly string[];
}

/** A page that cannot be rendered, with the reason for its author. */
export class PageError extends Error {}

/** Reads views; the parser takes some milliseconds for a long one. */
const LOADING = {
  concurrency: 4,
  concurrencyPerOwner: 2,
  waitingPerOwner: 1_000,
  waiting: 5_000,
  patienceMs: 10_000,
};
/** Views that are read at once. */
const MAX_AT_ONCE = 50;

/** Views that are ready to be rendered. Each revision of a view is prepared once. */
@Injectable()
@RunsIn('sites')
export class PreparedViews {
  /** Views by their revision. */
  private readonly views = new LRUCache<string, LoadedView & { readonly length: number }>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ length }) => 1_000 + length,
  });
  /** Views that are being loaded. */
  private readonly pending = new Map<string, Promise<LoadedView>>();
  private readonly loading = new WorkBudget(LOADING);
  private readonly turns = new ProcessorTurns();

  constructor(private readonly repository: VersionsRepository) {}

  /** Returns a view if it is prepared. */
  get({ revision }: Pick<ViewRow, 'revision'>): LoadedView | undefined {
    return this.views.get(revision);
  }

  /** Reads and prepares views. Throws a `PageError` if one does not exist any more, or cannot be parsed. */
  load(key: VersionKey, views: readonly ViewRow[]): Promise<LoadedView[]> {
    const missing = views.filter((view) => !this.get(view) && !this.pending.has(view.revision));
    for (let i = 0; i < missing.length; i += MAX_AT_ONCE) this.begin(key, missing.slice(i, i + MAX_AT_ONCE));
    return Promise.all(views.map(async (view) => this.get(view) ?? (await this.pending.get(view.revision)!)));
  }

  private begin(key: VersionKey, views: readonly ViewRow[]): void {
    const ids = views.map(({ id }) => id);
    const reading = this.loading.run(key.applicationId, () => this.repository.bodies(key, ids));
    for (const view of views) {
      const { revision } = view;
      const loading = reading
        .then((bodies) =>
          this.prepare(
            key,
            view,
            bodies.find(({ id }) => id === view.id),
          ),
        )
        .finally(() => this.pending.delete(revision));
      this.pending.set(revision, loading);
    }
  }

  private async prepare(
    key: VersionKey,
    { viewType, name }: ViewRow,
    found: ViewBody | undefined,
  ): Promise<LoadedView> {
    if (!found) throw new PageError(`The ${viewType} "${name}" does not exist`);
    const { body } = found;
    try {
      const { render, constant } = await this.turns.inTurn(key.applicationId, () => prepareView(body));
      const called = [...body.matchAll(CALLED)].map(([, one, other]) => one ?? other!);
      const view = { render, constant, called, length: body.length };
      this.views.set(found.revision, view);
      return view;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      throw new PageError(`The ${viewType} "${name}" ${error.message}`);
    }
  }
}
