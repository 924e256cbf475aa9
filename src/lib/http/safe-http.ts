import ipaddr from 'ipaddr.js';
import { lookup as dnsLookup } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, buildConnector, errors, request, type Dispatcher } from 'undici';

/**
 * Why there is no answer: `request` (no request that we make: scheme, port, user information, header), `address` (it
 * leads to a private address), `unreachable` (no name, no connection or a broken answer), `redirects` (too many),
 * `timeout`, `size` (the answer is too large).
 */
export type OutboundReason = keyof typeof MESSAGES;

const MESSAGES = {
  request: 'The outgoing request is not allowed',
  address: 'The outgoing request leads to an address that is not public',
  unreachable: 'The other server cannot be reached',
  redirects: 'The other server redirects too often',
  timeout: 'The other server does not answer in time',
  size: 'The answer of the other server is too large',
};

/** An outgoing request that has no answer. The reason is for logs: told to callers, it would map the local network. */
export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundReason,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[reason], options);
  }
}

export interface SafeHttpOptions {
  /**
   * Origins that the operator configured, such as `http://codehost.internal:8080`: they may be private, without TLS
   * and on any port. Whoever may choose the URLs of a client reaches these too, so give each purpose its own client.
   */
  allowedOrigins?: readonly string[];
  /** Resolves names, with the signature of `dns.lookup`. */
  lookup?: LookupFunction;
}

export interface OutboundRequest {
  url: string;
  /** GET, unless said otherwise. */
  method?: Dispatcher.HttpMethod;
  headers?: Readonly<Record<string, string>>;
  /** A stream is sent once: where a redirect would have it sent again, that is the answer. */
  body?: string | Buffer | Readable;
  /** How long everything may take together, redirects and body included; 30 seconds. */
  timeoutMs?: number;
  /** The largest body that is read; 1 MiB. */
  maxBytes?: number;
}

export interface OutboundResponse {
  status: number;
  /** What answered, after redirects. */
  url: string;
  /** Names are in lower case. */
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Hop {
  url: URL;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
}

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
const PORTS = new Set(['', '80', '443', '8443']);
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that are meant for one server only. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * The only HTTP client for requests to other servers. It cannot reach private addresses, however a URL spells them:
 * addresses are checked where the connection is made, so that neither a redirect nor a name that resolves anew leads
 * past the check.
 */
export class SafeHttp {
  private readonly allowed: ReadonlySet<string>;
  private readonly guarded: Dispatcher;
  private readonly unguarded: Dispatcher;

  constructor({ allowedOrigins = [], lookup = dnsLookup }: SafeHttpOptions = {}) {
    this.allowed = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
    this.guarded = new Agent({ connect: publicConnector(lookup) });
    this.unguarded = new Agent({ connect: { lookup } });
  }

  /**
   * The answer, whatever its status. At most three redirects are followed, each checked like the first URL; to another
   * origin they carry no credentials. Rejects with `OutboundError` only.
   */
  async request({
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_BYTES,
    ...rest
  }: OutboundRequest): Promise<OutboundResponse> {
    const first = firstHop(rest);
    const read = async (
      { statusCode: status, headers, body }: Dispatcher.ResponseData,
      { href: url }: URL,
    ) => {
      const chunks: Buffer[] = [];
      for await (const chunk of upTo(maxBytes, body, headers['content-length'])) chunks.push(chunk);
      return { status, url, headers, body: Buffer.concat(chunks) };
    };
    return this.bounded(timeoutMs, (signal) => this.follow(first, signal, read));
  }

  /**
   * As `request`, of what is too large for memory: `take` reads the body as it comes where the status is 200, and nothing of it is
   * read otherwise. Answers the status.
   */
  async download(
    { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, ...rest }: OutboundRequest,
    take: (content: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<number> {
    const first = firstHop(rest);
    const read = async ({ statusCode, headers, body }: Dispatcher.ResponseData) => {
      if (statusCode === 200) await take(upTo(maxBytes, body, headers['content-length']));
      else body.on('error', () => undefined).destroy();
      return statusCode;
    };
    return this.bounded(timeoutMs, (signal) => this.follow(first, signal, read));
  }

  /** Sends a request and returns the status of the answer alone: no redirect is followed, nothing of the body is read. */
  async deliver({ timeoutMs = TIMEOUT_MS, ...rest }: Omit<OutboundRequest, 'maxBytes'>): Promise<number> {
    const hop = firstHop(rest);
    return this.bounded(timeoutMs, async (signal) => {
      const { statusCode, body } = await this.send(hop, signal);
      body.on('error', () => undefined).destroy();
      return statusCode;
    });
  }

  /**
   * Whether requests to the URL are made, as far as its text says: what a name leads to is known only when it is
   * connected to.
   */
  permits(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return this.takes(url) && (this.allowed.has(url.origin) || !isIP(host) || isPublic(host));
  }

  private async bounded<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // undici heeds the signal only once it is connected; the race ends the wait for a name or a connection.
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

  private send({ url, ...options }: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (!this.takes(url)) throw new OutboundError('request');
    const dispatcher = this.allowed.has(url.origin) ? this.unguarded : this.guarded;
    return request(url, { ...options, signal, dispatcher });
  }

  private takes(url: URL): boolean {
    const usual = url.protocol === 'https:' && PORTS.has(url.port);
    return !url.username && !url.password && (usual || this.allowed.has(url.origin));
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}

function firstHop({ url, method = 'GET', headers = {}, body }: OutboundRequest): Hop {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  // A compressed answer could be small on the wire and huge in memory.
  const sent = { ...Object.fromEntries(given), 'accept-encoding': 'identity' };
  return { url: parseUrl(url), method, headers: sent, body };
}

/** Where an answer redirects to, in the way of browsers (Fetch, section 4.4); undefined where it does not. */
function redirectedHop(hop: Hop, status: number, location: string | string[] | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined;
  const url = parseUrl(location, hop.url.href);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  if (hop.body instanceof Readable && !becomesGet) return undefined;
  const headers = { ...hop.headers };
  if (url.origin !== hop.url.origin) for (const name of CREDENTIALS) delete headers[name];
  if (!becomesGet) return { ...hop, url, headers };
  delete headers['content-type'];
  return { url, method: 'GET', headers };
}

function parseUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new OutboundError('request');
  return new URL(text, base);
}

/** The same body; throws where it has more bytes than it may, as soon as it has. */
async function* upTo(
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

/** Connects to public addresses only, be they written out or found by `lookup`. */
function publicConnector(lookup: LookupFunction): buildConnector.connector {
  const connect = buildConnector({ lookup: publicLookup(lookup) });
  return (options, callback) => {
    // Addresses that are written out are not looked up.
    if (isIP(options.hostname) && !isPublic(options.hostname)) callback(new OutboundError('address'), null);
    else connect(options, callback);
  };
}

/** A lookup that fails unless every address it finds is public; the socket connects to just those. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const [first] = addresses;
      const usable = first && addresses.every(({ address }) => isPublic(address));
      if (!usable) callback(new OutboundError('address'), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Whether an address is one of the public internet. IPv4 addresses inside IPv6 ones are seen as what they are. */
function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  // Of IPv6, IANA has given out 2000::/3 alone; the rest holds such relics as ::127.0.0.1.
  const assigned = address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
  return assigned && address.range() === 'unicast';
}
