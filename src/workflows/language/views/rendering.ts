import { bounded, MAX_OUTPUT, templateFault } from '../handlebars/budget.js';
import { Scope, type Text } from '../handlebars/scope.js';

/** A view that is ready to be rendered. */
export interface PreparedView {
  readonly render: Text;
  /** Present if the view is a fixed text. */
  readonly constant?: string;
}

/** What views reach outside of their context. All functions must return at once, because a rendering never waits. */
export interface ViewHost {
  /** Returns the component with a name, or `undefined` if it does not exist. */
  component(name: string): PreparedView | undefined;
  /** Returns the URL of a public file, or with `ttl` (in seconds) of a private one. */
  fileUrl(path: string, ttl?: number): string;
  /** Returns the URL of a dashboard with the values of its context. */
  dashboardUrl(id: string, context: Readonly<Record<string, unknown>>): string;
}

/** A page with its layout, if any. */
export interface PageViews {
  readonly page: PreparedView;
  readonly layout?: PreparedView;
}

/** The layout repeats the text of the page, so a page counts twice. */
const MAX_PAGE_OUTPUT = 2 * MAX_OUTPUT;

/** State of the rendering of one page. */
class Rendering {
  /** Text of the sections that the page has filled. */
  readonly sections = new Map<string, string>();
  /** Text of the page; `undefined` while it is being rendered. */
  page?: string;

  constructor(readonly host: ViewHost) {}
}

/** The rendering of the process that is under way; a rendering never waits. */
let current: Rendering | undefined;

/** Returns the rendering that a helper is part of. Throws a `RunFault` outside of one. */
export function rendering(): Rendering {
  if (!current) throw templateFault('Views are rendered only as part of a page');
  return current;
}

/**
 * Renders a page and then its layout over a context. Both share one budget of steps and characters. Throws a `RunFault`
 * if they exceed it, or if a helper fails.
 */
export function renderPage({ page, layout }: PageViews, root: object, host: ViewHost): string {
  const outer = current;
  const own = (current = new Rendering(host));
  try {
    const render = (scope: Scope): string => {
      const text = page.render(scope);
      if (!layout) return text;
      own.page = text;
      return layout.render(scope);
    };
    return bounded(render, Scope.root(root), MAX_PAGE_OUTPUT);
  } finally {
    current = outer;
  }
}
