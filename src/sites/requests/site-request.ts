import type { IncomingMessage } from 'node:http';
import { parseQuery } from './body.js';
import { parseCookies } from './cookies.js';
import { originOf, type Origin } from './forwarded.js';

/** Stands for a token in what workflows and pages see. */
const REDACTED = '*****REDACTED*****';
/** Name of the cookie and of the query parameter with the token of a user. */
const TOKEN = 'authorization';
const BEARER = /^Bearer\s+(\S+)\s*$/i;

/** Place of a token in a request. */
type TokenPlace = 'query' | 'header' | 'cookie';

/** A request that cannot be answered by a site, with the reason. */
export class MalformedRequest extends Error {}

/** What workflows and pages see of a request, except its body and parameters. */
export interface ShownRequest {
  readonly path: string;
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, string>>;
}

/** A request to a site. Its parts are parsed when they are first needed. */
export class SiteRequest {
  readonly time = new Date();
  /** In lower case; `get` for HEAD. */
  readonly method: string;
  readonly isHead: boolean;
  /** Path without query, as sent. */
  readonly path: string;
  private readonly queryText: string;
  private parsedQuery?: Readonly<Record<string, unknown>>;
  private parsedCookies?: Readonly<Record<string, string>>;
  private found?: { token?: string; place?: TokenPlace };

  private constructor(
    readonly raw: IncomingMessage,
    readonly origin: Origin,
    target: string,
  ) {
    const method = raw.method!.toLowerCase();
    this.isHead = method === 'head';
    this.method = this.isHead ? 'get' : method;
    const question = target.indexOf('?');
    this.path = question < 0 ? target : target.slice(0, question);
    this.queryText = question < 0 ? '' : target.slice(question + 1);
  }

  /** Reads the head of a request. Throws `MalformedRequest` if it names no host or several, or a target that is no path. */
  static of(raw: IncomingMessage, proxies: number): SiteRequest {
    const origin = originOf(raw, proxies);
    if (!origin) throw new MalformedRequest('The request must have one valid Host header');
    return new SiteRequest(raw, origin, targetOf(raw.url!, origin.host));
  }

  get query(): Readonly<Record<string, unknown>> {
    return (this.parsedQuery ??= parseQuery(this.queryText));
  }

  get cookies(): Readonly<Record<string, string>> {
    return (this.parsedCookies ??= parseCookies(this.raw.headers.cookie));
  }

  /** Token of the user: of the query, the `Authorization` header, or the cookie, in this order. */
  get token(): string | undefined {
    return (this.found ??= this.findToken()).token;
  }

  /** Version in which workflows of the application run; `undefined` for the default. */
  get flowVersion(): string | undefined {
    return this.raw.headers['x-flow-version']?.toString() || undefined;
  }

  /** Returns the request without its token. */
  shown(): ShownRequest {
    const { path, method, origin, raw, query, cookies } = this;
    const { place } = (this.found ??= this.findToken());
    const { cookie: _cookie, 'x-forwarded-host': forwardedHost, ...headers } = raw.headers;
    return {
      path,
      method,
      query: place === 'query' ? { ...query, [TOKEN]: REDACTED } : query,
      headers: Object.assign({}, headers, {
        host: origin.hostHeader,
        'x-forwarded-proto': origin.isSecure ? 'https' : 'http',
        'x-forwarded-for': origin.forwardedFor,
        // A client could name any host, to which workflows would link.
        ...(origin.isProxied && forwardedHost !== undefined && { 'x-forwarded-host': forwardedHost }),
        ...(place === 'header' && { authorization: REDACTED }),
      }),
      cookies: TOKEN in cookies ? { ...cookies, [TOKEN]: REDACTED } : cookies,
    };
  }

  private findToken(): { token?: string; place?: TokenPlace } {
    const ofQuery = this.queryText.includes(TOKEN) ? this.query[TOKEN] : undefined;
    if (typeof ofQuery === 'string' && ofQuery !== '') return { token: ofQuery, place: 'query' };
    const ofHeader = BEARER.exec(this.raw.headers.authorization ?? '')?.[1];
    if (ofHeader !== undefined) return { token: ofHeader, place: 'header' };
    const ofCookie = this.raw.headers.cookie === undefined ? undefined : this.cookies[TOKEN];
    return ofCookie ? { token: ofCookie, place: 'cookie' } : {};
  }
}

/** Returns the path and query of a request target. Throws if it is another host's, or no path. */
function targetOf(url: string, host: string): string {
  if (url.startsWith('/')) return url;
  if (url === '*') return '/*';
  const absolute = URL.canParse(url) ? new URL(url) : undefined;
  if (absolute?.hostname !== host || !/^https?:$/.test(absolute.protocol))
    throw new MalformedRequest('The target of the request must be a path');
  return absolute.pathname + absolute.search;
}
