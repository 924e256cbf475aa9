import { lookup as dnsLookup } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, buildConnector, errors, request, type Dispatcher } from 'undici';
import { OutboundError } from './outbound-error.js';
import { FIRST_FREE_PORT, isPublic, publicLookup } from './public-addresses.js';

export { OutboundError, type OutboundReason } from './outbound-error.js';

export interface SafeHttpOptions {
  /**
   * Origins that the operator has configured, such as `http://codehost.internal:8080`. They may be private, without TLS
   * and on any port. Anyone who can choose a client's URLs can access them too, so use a separate client for each
   * purpose.
   */
  allowedOrigins?: readonly string[];
  /** Whether requests may go to public addresses without TLS, and to any port that is not of another known protocol. */
  allowsPlain?: boolean;
  /**
   * Whether requests may go to any address and port, also private ones without TLS. For programs in the network that
   * they serve, never for the platform.
   */
  allowsPrivate?: boolean;
  /** Resolves names; same signature as `dns.lookup`. */
  lookup?: LookupFunction;
}

export interface OutboundRequest {
  url: string;
  /** HTTP method; `GET` by default. */
  method?: Dispatcher.HttpMethod;
  headers?: Readonly<Record<string, string>>;
  /**
   * A stream is only sent once: if a redirect would require sending it again, the redirect is returned as the response.
   */
  body?: string | Buffer | Readable;
  /** Total timeout, including redirects and body; 30 seconds by default. */
  timeoutMs?: number;
  /** Maximum size of the body to read; 1 MiB by default. */
  maxBytes?: number;
  /** Ends the request before its timeout. */
  signal?: AbortSignal;
  /** `false` returns a redirect as the response. */
  followsRedirects?: boolean;
  /** Names of headers, in lower case, that are only sent to the origin of the URL, as `Authorization` always is. */
  secretHeaders?: readonly string[];
  tls?: TlsSettings;
}

/** How a client trusts a server and identifies itself, in PEM. `SafeHttp` does not share its connections with others. */
export interface TlsSettings {
  /** Authority to trust instead of the usual ones. */
  ca?: string;
  /** Client certificate and its private key. */
  cert?: string;
  key?: string;
  /** `false` accepts any certificate. */
  rejectUnauthorized?: boolean;
}

export interface OutboundResponse {
  status: number;
  /** URL that responded, after redirects. */
  url: string;
  /** Header names are in lower case. */
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Hop {
  url: URL;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
  /** Headers that another origin does not receive. */
  secrets: readonly string[];
  followsRedirects: boolean;
  agents: Agents;
}

/** Connections to public addresses, and to any. */
interface Agents {
  guarded: Dispatcher;
  unguarded: Dispatcher;
}

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
const PORTS = new Set(['', '80', '443', '8443']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers intended for a single server. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * The only HTTP client for requests to other servers. It cannot reach private addresses in any notation. Addresses are
 * checked when the connection is made, so neither a redirect nor a name that resolves differently the second time can
 * bypass the check.
 */
export class SafeHttp {
  private readonly allowed: ReadonlySet<string>;
  private readonly allowsPlain: boolean;
  private readonly allowsPrivate: boolean;
  private readonly lookup: LookupFunction;
  private readonly agents: Agents;

  constructor({
    allowedOrigins = [],
    allowsPlain = false,
    allowsPrivate = false,
    lookup = dnsLookup,
  }: SafeHttpOptions = {}) {
    this.allowed = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
    this.allowsPlain = allowsPlain;
    this.allowsPrivate = allowsPrivate;
    this.lookup = lookup;
    this.agents = agentsWith(lookup);
  }

  /**
   * Returns the response, regardless of its status. Follows at most three redirects, each of which is checked like the
   * first URL. Credentials are not sent to other origins. Rejects with `OutboundError` only.
   */
  async request({
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_BYTES,
    signal: given,
    tls,
    ...rest
  }: OutboundRequest): Promise<OutboundResponse> {
    const first = firstHop(rest, tls ? agentsWith(this.lookup, tls) : this.agents);
    const read = async (
      { statusCode: status, headers, body }: Dispatcher.ResponseData,
      { href: url }: URL,
    ) => {
      const chunks: Buffer[] = [];
      for await (const chunk of limited(maxBytes, body, headers['content-length'])) chunks.push(chunk);
      return { status, url, headers, body: Buffer.concat(chunks) };
    };
    try {
      return await this.bounded(timeoutMs, (signal) => this.follow(first, signal, read), given);
    } finally {
      if (tls) await Promise.all(Object.values(first.agents).map((agent: Dispatcher) => agent.destroy()));
    }
  }

  /**
   * Like `request`, for bodies that are too large for memory. If the status is 200, `take` reads the body as it
   * arrives; otherwise the body is not read. Returns the status.
   */
  async download(
    { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, ...rest }: OutboundRequest,
    take: (content: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<number> {
    const first = firstHop(rest, this.agents);
    const read = async ({ statusCode, headers, body }: Dispatcher.ResponseData) => {
      if (statusCode === 200) await take(limited(maxBytes, body, headers['content-length']));
      else body.on('error', () => undefined).destroy();
      return statusCode;
    };
    return this.bounded(timeoutMs, (signal) => this.follow(first, signal, read));
  }

  /** Sends a request and returns only the status of the response. Neither follows redirects nor reads the body. */
  async deliver({ timeoutMs = TIMEOUT_MS, ...rest }: Omit<OutboundRequest, 'maxBytes'>): Promise<number> {
    const hop = firstHop(rest, this.agents);
    return this.bounded(timeoutMs, async (signal) => {
      const { statusCode, body } = await this.send(hop, signal);
      body.on('error', () => undefined).destroy();
      return statusCode;
    });
  }

  /**
   * Returns whether requests to the URL are allowed, judging by its text only: the address behind a name is checked
   * when connecting.
   */
  permits(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return this.isAllowed(url) && (this.isTrusted(url) || !isIP(host) || isPublic(host));
  }

  private async bounded<T>(
    timeoutMs: number,
    work: (signal: AbortSignal) => Promise<T>,
    given?: AbortSignal,
  ): Promise<T> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given ? AbortSignal.any([timeout, given]) : timeout;
    try {
      // undici only observes the signal once it is connected; the race also covers the name lookup and the connection.
      return await Promise.race([work(signal), whenAborted(signal)]);
    } catch (cause) {
      if (cause instanceof OutboundError) throw cause;
      if (signal.aborted) throw new OutboundError('timeout', { cause });
      const reason = cause instanceof errors.InvalidArgumentError ? 'request' : 'unreachable';
      throw new OutboundError(reason, { cause });
    }
  }

  private async follow<T>(
    first: Hop,
    signal: AbortSignal,
    read: (answer: Dispatcher.ResponseData, url: URL) => Promise<T>,
  ): Promise<T> {
    let hop = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await this.send(hop, signal);
      const next = redirectedHop(hop, answer.statusCode, answer.headers.location);
      if (!next) return read(answer, hop.url);
      await answer.body.dump();
      hop = next;
    }
    throw new OutboundError('redirects');
  }

  private send(
    { url, method, headers, body, agents }: Hop,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    if (!this.isAllowed(url)) throw new OutboundError('request');
    const dispatcher = this.isTrusted(url) ? agents.unguarded : agents.guarded;
    return request(url, { method, headers, body, signal, dispatcher });
  }

  /** Whether the address may be private. */
  private isTrusted(url: URL): boolean {
    return this.allowed.has(url.origin) || (this.allowsPrivate && isWeb(url));
  }

  private isAllowed(url: URL): boolean {
    if (url.username || url.password) return false;
    if (this.isTrusted(url)) return true;
    if (url.protocol === 'https:' && PORTS.has(url.port)) return true;
    return this.allowsPlain && isWeb(url) && (PORTS.has(url.port) || Number(url.port) >= FIRST_FREE_PORT);
  }
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

function agentsWith(lookup: LookupFunction, tls: TlsSettings = {}): Agents {
  return {
    guarded: new Agent({ connect: publicConnector(lookup, tls) }),
    unguarded: new Agent({ connect: { ...tls, lookup } }),
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}

function firstHop(given: OutboundRequest, agents: Agents): Hop {
  const { method = 'GET', headers = {}, body, secretHeaders = [], followsRedirects = true } = given;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    url: parseUrl(given.url),
    method,
    // A compressed response could be small on the wire and huge in memory.
    headers: { ...Object.fromEntries(lower), 'accept-encoding': 'identity' },
    body,
    secrets: [...CREDENTIALS, ...secretHeaders],
    followsRedirects,
    agents,
  };
}

/**
 * Returns the target of a redirect, following the rules of browsers (Fetch, section 4.4), or `undefined` if the
 * response is not one.
 */
function redirectedHop(hop: Hop, status: number, location: string | string[] | undefined): Hop | undefined {
  if (!hop.followsRedirects || !REDIRECTS.has(status) || typeof location !== 'string') return undefined;
  const url = parseUrl(location, hop.url.href);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  if (hop.body instanceof Readable && !becomesGet) return undefined;
  const headers = { ...hop.headers };
  if (url.origin !== hop.url.origin) for (const name of hop.secrets) delete headers[name];
  if (!becomesGet) return { ...hop, url, headers };
  delete headers['content-type'];
  return { ...hop, url, method: 'GET', headers, body: undefined };
}

function parseUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new OutboundError('request');
  return new URL(text, base);
}

/** Passes the body through. Throws as soon as it exceeds the limit. */
async function* limited(
  limit: number,
  body: AsyncIterable<Buffer>,
  announced: string | string[] | undefined,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit || Number(announced) > limit) throw new OutboundError('size');
    yield chunk;
  }
}

/** Returns a connector that only connects to public addresses, whether literal or found by `lookup`. */
function publicConnector(lookup: LookupFunction, tls: TlsSettings): buildConnector.connector {
  const connect = buildConnector({ ...tls, lookup: publicLookup(lookup) });
  return (options, callback) => {
    // Literal addresses are not looked up.
    if (isIP(options.hostname) && !isPublic(options.hostname)) callback(new OutboundError('address'), null);
    else connect(options, callback);
  };
}
