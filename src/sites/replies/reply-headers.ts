import { HEADERS_OF_SERVER, isHeaderName, isHeaderValue } from '../../lib/http/header-rules.js';
import { NO_STORE, type SiteHead, type SiteReply } from './site-reply.js';

type Values = string | readonly string[] | undefined;

/** Values of headers by name in lower case. */
export type Headers = ReadonlyMap<string, string>;

/** Headers of every response, unless the version or the reply sets them. */
const DEFAULTS: Headers = new Map([
  ['cache-control', NO_STORE],
  ['pragma', 'no-cache'],
  ['x-content-type-options', 'nosniff'],
  ['x-xss-protection', '1; mode=block'],
]);
const TLS_DEFAULT = ['strict-transport-security', 'max-age=31536000'] as const;

const OF_SERVER: ReadonlySet<string> = new Set([...HEADERS_OF_SERVER, 'date']);
/** Headers whose values are combined with others. */
const COMBINED: ReadonlySet<string> = new Set(['set-cookie', 'vary']);
const MEDIA_TYPE_OF_TEXT = 'text/plain; charset=utf-8';

/** What a version of an experience determines about headers. */
export interface HeaderRules {
  /** Headers of its responses. */
  readonly headers: Headers;
  /** Origins that may read replies: all, those listed, or `undefined` if replies have no headers for other origins. */
  readonly corsOrigins?: '*' | ReadonlySet<string>;
}

/** What headers depend on, besides the reply. */
export interface HeaderContext {
  /** Version that replies, if the request has reached one. */
  readonly version?: HeaderRules;
  readonly isSecure: boolean;
  /** Host of the request, without port. */
  readonly host: string;
  /** `Origin` header of the request. */
  readonly origin: string | undefined;
}

/** Returns the headers of the responses of a version: its own ones, and the defaults that it does not replace. */
export function versionHeaders(own: Readonly<Record<string, string>>): Headers {
  const all = new Map(DEFAULTS);
  for (const [name, value] of Object.entries(own)) {
    const lower = name.toLowerCase();
    if (isSettable(lower) && isHeaderValue(value)) all.set(lower, value);
  }
  return all;
}

/**
 * Returns the headers of a response, as names and values one after another. Headers of the reply replace those of the
 * version, which replace the defaults. Leaves out headers that HTTP cannot carry. A stream has no `body`.
 */
export function headersOf(reply: SiteHead & Partial<SiteReply>, context: HeaderContext): string[] {
  const { status, headers, cookies = [], body } = reply;
  const general = context.version?.headers ?? DEFAULTS;
  const list: string[] = [];
  for (const [name, value] of general)
    if (!COMBINED.has(name) && !Object.hasOwn(headers, name)) list.push(name, value);
  for (const name of Object.keys(headers))
    if (!COMBINED.has(name) && isSettable(name)) add(list, name, headers[name]!);
  const valueOf = (name: string): Values =>
    Object.hasOwn(headers, name) ? headers[name] : general.get(name);
  if (context.isSecure && valueOf(TLS_DEFAULT[0]) === undefined) list.push(...TLS_DEFAULT);
  addCookies(list, valueOf('set-cookie'), cookies, context);
  if (body?.length && valueOf('content-type') === undefined) list.push('content-type', MEDIA_TYPE_OF_TEXT);
  const vary = varyOf(valueOf('vary'), context.version?.corsOrigins);
  if (vary !== undefined) add(list, 'vary', vary);
  addCors(list, valueOf, context);
  if (body !== undefined && allowsBody(status)) list.push('content-length', String(Buffer.byteLength(body)));
  return list;
}

/** Whether a response with a status can have a body. */
export const allowsBody = (status: number): boolean => status !== 204 && status !== 304;

const isSettable = (name: string): boolean => !OF_SERVER.has(name) && isHeaderName(name);

function add(list: string[], name: string, values: string | readonly string[]): void {
  for (const value of typeof values === 'string' ? [values] : values)
    if (isHeaderValue(value)) list.push(name, value);
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

function addCookies(
  list: string[],
  own: Values,
  cookies: readonly string[],
  { isSecure, host }: HeaderContext,
): void {
  if (own === undefined && cookies.length === 0) return;
  const all = [own ?? [], cookies.map((cookie) => secured(cookie, isSecure))].flat(2);
  for (const cookie of all) add(list, 'set-cookie', ofHost(cookie, host));
}

/** Headers that scripts of other origins may read besides the usual ones. */
const EXPOSED = 'Content-Length, Content-Disposition, Location, ETag';

function addCors(
  list: string[],
  valueOf: (name: string) => Values,
  { version, origin }: HeaderContext,
): void {
  const origins = version?.corsOrigins;
  if (!origins) return;
  const allowed =
    origins === '*' ? '*' : origin !== undefined && origins.has(origin.toLowerCase()) ? origin : undefined;
  if (allowed === undefined) return;
  if (valueOf('access-control-allow-origin') === undefined) add(list, 'access-control-allow-origin', allowed);
  if (valueOf('access-control-expose-headers') === undefined)
    list.push('access-control-expose-headers', EXPOSED);
}

/** Returns the values of `Vary`. Replies that some origins may read differ by it. */
function varyOf(own: Values, origins: HeaderRules['corsOrigins']): Values {
  if (!origins || origins === '*') return own;
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
