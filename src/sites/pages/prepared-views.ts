import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunsIn } from '../../platform/processes/roles.js';
import { SyntaxFault } from '../../workflows/language/syntax-fault.js';
import type { PreparedView } from '../../workflows/language/views/rendering.js';
import { prepareView } from '../../workflows/language/views/view-dialect.js';
import { VersionsRepository, type VersionKey, type ViewRow } from '../versions/versions.repository.js';

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

/** Views that are ready to be rendered. Each revision of a view is prepared once. */
@Injectable()
@RunsIn('sites')
export class PreparedViews {
  private readonly views = new LRUCache<string, LoadedView & { readonly length: number }>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ length }) => 1_000 + length,
  });

  constructor(private readonly repository: VersionsRepository) {}

  /** Returns a view if it is prepared. */
  get(key: VersionKey, { id, revision }: ViewRow): LoadedView | undefined {
    return this.views.get(`${key.id} ${id} ${revision}`);
  }

  /** Reads and prepares a view. Throws a `PageError` if it does not exist any more, or cannot be parsed. */
  async load(key: VersionKey, { id, viewType, name }: ViewRow): Promise<LoadedView> {
    const found = await this.repository.body(key, id);
    if (!found) throw new PageError(`The ${viewType} "${name}" does not exist`);
    const { body, revision } = found;
    try {
      const called = [...body.matchAll(CALLED)].map(([, one, other]) => one ?? other!);
      const view = { render: prepareView(body).render, called, length: body.length };
      this.views.set(`${key.id} ${id} ${revision}`, view);
      return view;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      throw new PageError(`The ${viewType} "${name}" ${error.message}`);
    }
  }
}
