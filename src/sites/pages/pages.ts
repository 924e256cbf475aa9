import { Injectable, Logger } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { ProcessorTurns } from '../../workflows/engine/processor-turns.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import { renderPage } from '../../workflows/language/views/rendering.js';
import { SiteAddresses } from '../site-addresses.js';
import type { Version } from '../versions/version.js';
import type { ViewRow } from '../versions/versions.repository.js';
import type { Visit } from '../visit.js';
import { pageContext, type PageExtras } from './page-context.js';
import { PageError, PreparedViews, type LoadedView } from './prepared-views.js';

/** A page to render. */
export interface PageRequest {
  readonly pageId: string;
  /** Replaces the layout of the page. */
  readonly layoutId?: string;
  /** Version with the views, if it is not that of the request. */
  readonly version?: Version;
  readonly extras?: PageExtras;
}

export interface RenderedPage {
  readonly html: string;
  readonly contentType: string;
}

const HTML = 'text/html; charset=utf-8';

/** Renders pages of experiences. Applications take turns, because a page can take some tens of milliseconds. */
@Injectable()
@RunsIn('sites')
export class Pages {
  private readonly logger = new Logger('Page');
  private readonly turns = new ProcessorTurns();

  constructor(
    private readonly views: PreparedViews,
    private readonly addresses: SiteAddresses,
  ) {}

  /** Returns a page that is a fixed text without a layout, such as a style sheet, if it is loaded. */
  fixed(visit: Visit, { pageId, layoutId, version = visit.version }: PageRequest): RenderedPage | undefined {
    const page = version.views.get(pageId);
    if (page?.viewType !== 'page' || layoutId !== undefined || page.layoutId !== null) return undefined;
    const html = this.views.get(page)?.constant;
    return html === undefined ? undefined : { html, contentType: contentTypeOf(page) };
  }

  /** Renders a page. Throws a `PageError` if it does not exist or fails; the failure is logged. */
  async render(visit: Visit, request: PageRequest): Promise<RenderedPage> {
    const started = performance.now();
    const version = request.version ?? visit.version;
    const page = version.views.get(request.pageId);
    const layoutId = request.layoutId ?? page?.layoutId ?? undefined;
    const layout = layoutId === undefined ? undefined : version.views.get(layoutId);
    const loaded = new Map<string, LoadedView>();
    try {
      if (page?.viewType !== 'page') throw new PageError('The page of the reply does not exist');
      if (layoutId !== undefined && layout?.viewType !== 'layout')
        throw new PageError('The layout of the reply does not exist');
      const context = pageContext(visit, page, layout, request.extras);
      const html = await this.renderViews(version, { page, layout, context, loaded });
      return { html, contentType: contentTypeOf(page) };
    } catch (error) {
      const shown = shownError(error);
      this.logger.warn({
        applicationId: version.application.id,
        site: visit.siteName,
        version: version.name,
        page: page?.name ?? request.pageId,
        layout: layout?.name ?? layoutId,
        components: [...loaded.keys()].filter((id) => id !== page?.id && id !== layout?.id).length,
        ms: Math.round(performance.now() - started),
        error: shown.message,
      });
      throw shown;
    }
  }

  private async renderViews(version: Version, { page, layout, context, loaded }: Rendered): Promise<string> {
    const known = (view: ViewRow) => loaded.get(view.id) ?? this.views.get(view);
    await this.load(version, loaded, layout ? [page, layout] : [page]);
    for (;;) {
      // Components whose names are values of the context are known only by rendering.
      const missing = new Set<ViewRow>();
      const host = {
        component: (name: string) => {
          const view = version.components.get(name);
          const found = view && known(view);
          if (view && !found) missing.add(view);
          return found;
        },
        ...this.addresses.hostOf(version.application.id),
      };
      const render = () => renderPage({ page: known(page)!, layout: layout && known(layout) }, context, host);
      const html = await this.turns.inTurn(version.application.id, render).catch((error: unknown) => {
        if (missing.size === 0) throw error;
        return '';
      });
      if (missing.size === 0) return html;
      await this.load(version, loaded, [...missing]);
    }
  }

  /** Loads views and the components that they call by name, so that they stay loaded for this rendering. */
  private async load(
    version: Version,
    loaded: Map<string, LoadedView>,
    views: readonly ViewRow[],
  ): Promise<void> {
    const added = [...new Set(views)].filter(({ id }) => !loaded.has(id));
    if (added.length === 0) return;
    const found = await this.views.load(version.key, added);
    for (const [i, view] of added.entries()) loaded.set(view.id, found[i]!);
    const called = new Set(found.flatMap((view) => view.called));
    await this.load(
      version,
      loaded,
      [...called].flatMap((name) => version.components.get(name) ?? []),
    );
  }
}

interface Rendered {
  readonly page: ViewRow;
  readonly layout: ViewRow | undefined;
  readonly context: object;
  /** Views of this rendering by ID. */
  readonly loaded: Map<string, LoadedView>;
}

const contentTypeOf = ({ headers }: ViewRow): string => headers['content-type'] ?? HTML;

/** Returns an error as visitors may see it. */
function shownError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof RunFault) return new PageError(error.message);
  // The stack is exhausted.
  if (error instanceof RangeError) return new PageError('The page is nested too deeply');
  throw error;
}
