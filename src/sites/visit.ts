import type { ShownRequest, SiteRequest } from './requests/site-request.js';
import type { Endpoint, Version } from './versions/version.js';
import type { Visitor } from './visitors/visitors.js';

/** A request to a version of an experience, as far as it has been understood. */
export interface Visit {
  readonly request: SiteRequest;
  /** Slug or domain, as it is stored. */
  readonly siteName: string;
  readonly version: Version;
  readonly body: unknown;
  /** Size of the body in bytes. */
  readonly bytes: number;
  /** Endpoint that the request matches, with the values of its parameters. */
  readonly endpoint?: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly visitor?: Visitor;
  /** Device by which access was granted. */
  readonly device?: object;
}

/** Returns what workflows and pages see of the request. */
export function shownRequest({
  request,
  params,
  body,
}: Visit): ShownRequest & { params: object; body: unknown } {
  const { path, method, query, headers, cookies } = request.shown();
  return { path, method, query, headers, cookies, params, body };
}

/** Returns what workflows and pages see of the experience. */
export const shownExperience = ({
  endpoint,
  visitor,
  version,
  device,
}: Visit): Readonly<Record<string, unknown>> => ({
  endpoint: endpoint?.shown ?? null,
  user: visitor?.user ?? null,
  version: version.name,
  authInfo: visitor?.authInfo ?? null,
  ...(device && { device }),
});
