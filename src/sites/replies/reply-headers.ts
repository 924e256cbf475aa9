import { HEADERS_OF_SERVER, isHeaderName, isHeaderValue } from '../../lib/http/header-rules.js';
import type { Version } from '../versions/version.js';
import { NO_STORE, type SiteHead, type SiteReply } from './site-reply.js';

/** Headers of every response, unless the version or the reply sets them. */
const DEFAULTS = [
  ['cache-control', NO_STORE],
  ['pragma', 'no-cache'],
  ['x-content-type-options', 'nosniff'],
  ['x-xss-protection', '1; mode=block'],
] as const;
const TLS_DEFAULT = ['strict-transport-security', 'max-age=31536000'] as const;

const OF_SERVER: ReadonlySet<string> = new Set([...HEADERS_OF_SERVER, 'date']);
const MEDIA_TYPE_OF_TEXT = 'text/plain; charset=utf-8';

/** What headers depend on, besides the reply. */
export interface HeaderContext {
  /** Version that replies, if the request has reached one. */
  readonly version?: Pick<Version, 'headers' | 'corsOrigins'>;
  readonly isSecure: boolean;
  /** Host of the request, without port. */
  readonly host: string;
  /** `Origin` header of the request. */
  readonly origin: string | undefined;
}

/**
 * Returns the headers of a response, as names and values one after another. Headers of the reply replace those of the
 * version, which replace the defaults. Leaves out headers that HTTP cannot carry. A stream has no `body`.
 */
export function headersOf(
  { status, headers, cookies = [], body }: SiteHead & Partial<SiteReply>,
  context: HeaderContext,
): string[] {
  const { version, isSecure, host } = context;
  const all = new Map<string, string | readonly string[]>(DEFAULTS);
  if (isSecure) all.set(...TLS_DEFAULT);
  for (const [name, value] of version?.headers ?? []) set(all, name.toLowerCase(), value);
  for (const name of Object.keys(headers)) set(all, name, headers[name]!);
  const set_cookies = [all.get('set-cookie') ?? [], cookies.map((cookie) => secured(cookie, isSecure))].flat(
    2,
  );
  if (set_cookies.length > 0)
    all.set(
      'set-cookie',
      set_cookies.map((cookie) => ofHost(cookie, host)),
    );
  if (body?.length && !all.has('content-type')) all.set('content-type', MEDIA_TYPE_OF_TEXT);
  addCors(all, context);
  if (body !== undefined && allowsBody(status)) all.set('content-length', String(Buffer.byteLength(body)));
  return listed(all);
}

/** Whether a response with a status can have a body. */
export const allowsBody = (status: number): boolean => status !== 204 && status !== 304;

function set(
  all: Map<string, string | readonly string[]>,
  name: string,
  value: string | readonly string[],
): void {
  if (!OF_SERVER.has(name) && isHeaderName(name)) all.set(name, value);
}

function listed(all: ReadonlyMap<string, string | readonly string[]>): string[] {
  const list: string[] = [];
  for (const [name, values] of all)
    for (const value of typeof values === 'string' ? [values] : values)
      if (isHeaderValue(value)) list.push(name, value);
  return list;
}

const SECURE = /;\s*secure\s*(?:;|$)/i;
const SAME_SITE_NONE = /;\s*samesite=none\s*(?:;|$)/i;

/** Browsers accept `SameSite=None` only together with `Secure`. */
const secured = (cookie: string, isSecure: boolean): string =>
  (isSecure || SAME_SITE_NONE.test(cookie)) && !SECURE.test(cookie) ? `${cookie}; Secure` : cookie;

const DOMAIN = /;\s*domain\s*=\s*([^;]*)/gi;

/**
 * Removes the domain of a cookie unless it is the host itself: a cookie of a parent domain would be sent to the sites of
 * others.
 */
const ofHost = (cookie: string, host: string): string =>
  cookie.replace(DOMAIN, (attribute, domain: string) =>
    domain.trim().replace(/^\./, '').toLowerCase() === host ? attribute : '',
  );

/** Headers that scripts of other origins may read besides the usual ones. */
const EXPOSED = 'Content-Length, Content-Disposition, Location, ETag';

function addCors(all: Map<string, string | readonly string[]>, { version, origin }: HeaderContext): void {
  const origins = version?.corsOrigins;
  if (!origins) return;
  const isListed = origins !== '*';
  if (isListed) all.set('vary', varyOf(all.get('vary')));
  const allowed = isListed
    ? origin !== undefined && origins.has(origin.toLowerCase())
      ? origin
      : undefined
    : '*';
  if (allowed === undefined) return;
  if (!all.has('access-control-allow-origin')) all.set('access-control-allow-origin', allowed);
  if (!all.has('access-control-expose-headers')) all.set('access-control-expose-headers', EXPOSED);
}

function varyOf(own: string | readonly string[] | undefined): string {
  const names = [own ?? []].flat().join(', ');
  if (names === '') return 'Origin';
  return /(?:^|[\s,])(?:origin|\*)(?:$|[\s,])/i.test(names) ? names : `${names}, Origin`;
}

/** Reply to a preflight request that no endpoint answers. */
export const preflightReply = (requestedHeaders: string | undefined): SiteReply => ({
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': requestedHeaders ?? 'Authorization, Content-Type',
    'access-control-max-age': '600',
    vary: 'Access-Control-Request-Headers',
  },
  body: '',
});
