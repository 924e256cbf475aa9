import type { ViewRow } from '../versions/versions.repository.js';
import { shownExperience, shownRequest, type Visit } from '../visit.js';

/** What a workflow adds to the context of a page. */
export interface PageExtras {
  readonly pageData: unknown;
  readonly globals: unknown;
  readonly flow: object;
}

/** Returns the context of templates of redirects, and of the IDs of devices. */
export function requestContext(visit: Visit): Readonly<Record<string, unknown>> {
  const { request, version } = visit;
  return {
    time: request.time,
    application: version.application,
    experience: shownExperience(visit),
    globals: version.globals,
    request: shownRequest(visit),
  };
}

/** Returns the context of a page and of its layout. Replies without a workflow have no `flow`. */
export function pageContext(
  visit: Visit,
  page: ViewRow,
  layout: ViewRow | undefined,
  extras?: PageExtras,
): object {
  const { request, version } = visit;
  return {
    time: request.time,
    application: version.application,
    experience: Object.assign({}, shownExperience(visit), {
      page: shownView(page),
      layout: layout && shownView(layout),
    }),
    globals: extras?.globals ?? version.globals,
    request: shownRequest(visit),
    pageData: extras ? extras.pageData : {},
    ...(extras && { flow: extras.flow }),
  };
}

const shownView = ({ id, name, description, viewTags }: ViewRow): object => ({
  id,
  name,
  description,
  viewTags,
});
