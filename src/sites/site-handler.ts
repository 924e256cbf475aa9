import { Injectable, Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Config } from '../config/config.js';
import { whenReady } from '../lib/async/when-ready.js';
import { ApiError } from '../lib/errors/errors.js';
import { RunsIn } from '../platform/processes/roles.js';
import { apiErrorOf } from '../platform/responses/database-errors.js';
import { hasBody } from '../platform/server/read-body.js';
import { closeUnlessRead } from '../platform/server/unread-body.js';
import { SiteFiles } from './files/site-files.js';
import { Sites } from './hosts/sites.js';
import type { Site } from './hosts/sites.repository.js';
import { HeldBodies } from './limits/held-bodies.js';
import { RequestLog, type Answerer } from './limits/request-log.js';
import { SiteRates } from './limits/site-rates.js';
import { allowsBody, headersOf } from './replies/reply-headers.js';
import { errorReply, type SiteHead, type SiteReply } from './replies/site-reply.js';
import { STREAM_HEADERS, TopicStreams } from './replies/topic-streams.js';
import { announcedBytes, readBody, type ReceivedBody } from './requests/body.js';
import { MalformedRequest, SiteRequest } from './requests/site-request.js';
import { SiteResponder, type Answer } from './site-responder.js';
import type { Version } from './versions/version.js';
import { Versions } from './versions/versions.js';

const NO_SITE = errorReply(404, 'No experience found for domain');
const THROTTLED = errorReply(429, 'Over rate limit, request throttled', { 'retry-after': '1' });
const TOO_MANY_BODIES = errorReply(503, 'Too many requests are in progress', { 'retry-after': '5' });
const TOO_MANY_STREAMS = errorReply(503, 'Too many streams are open', { 'retry-after': '5' });
const NO_CONTEXT = { isSecure: false, host: '', origin: undefined };

/** A request that is being answered, as far as it is known who answers it. */
interface Exchange {
  readonly request: SiteRequest;
  readonly response: ServerResponse;
  version?: Version;
  answerer?: Answerer;
}

/** Answers requests to sites: finds the version of the experience that a host leads to, and sends its reply. */
@Injectable()
@RunsIn('sites')
export class SiteHandler {
  private readonly logger = new Logger(SiteHandler.name);

  constructor(
    private readonly config: Config,
    private readonly sites: Sites,
    private readonly versions: Versions,
    private readonly files: SiteFiles,
    private readonly rates: SiteRates,
    private readonly bodies: HeldBodies,
    private readonly log: RequestLog,
    private readonly responder: SiteResponder,
    private readonly streams: TopicStreams,
  ) {}

  /** Answers a request. Never rejects. */
  async handle(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    let exchange: Exchange | undefined;
    // Emitted once. A listener by `once` would take longer.
    response.on('close', () =>
      this.log.write({
        site: exchange?.answerer?.siteName ?? exchange?.request.origin.host,
        method: raw.method!,
        route: exchange?.answerer?.endpoint?.route,
        status: response.statusCode,
        ms: performance.now() - startedAt,
        aborted: !response.writableFinished,
      }),
    );
    try {
      const request = SiteRequest.of(raw, this.config.TRUST_PROXY);
      const own: Exchange = (exchange = { request, response });
      const name = this.sites.nameOf(request.origin.host);
      const { proxiedHost } = request.origin;
      if (!name || (proxiedHost !== undefined && (await this.isForeignHost(proxiedHost, request))))
        return this.send(own, NO_SITE);
      if (name.kind === 'files') return this.files.serve(raw, response);
      const answer = whenReady(this.sites.find(name, request.origin.address), (site) =>
        site ? this.answer(own, site) : NO_SITE,
      );
      this.sendAnswer(own, answer instanceof Promise ? await answer : answer);
    } catch (error) {
      const reply = this.replyFor(error as Error);
      if (exchange) this.send(exchange, reply);
      else write(raw, response, reply.status, headersOf(reply, NO_CONTEXT), reply.body);
    }
  }

  private answer(exchange: Exchange, { versionId: id, applicationId, name }: Site): Answer | Promise<Answer> {
    const { raw, origin } = exchange.request;
    return whenReady(this.versions.get({ id, applicationId }), (version) => {
      if (!version) return NO_SITE;
      exchange.version = version;
      if (!this.rates.admit(name)) return THROTTLED;
      if (!this.holdBody(exchange, name)) return TOO_MANY_BODIES;
      return whenReady(readBody(raw, origin.address), (body) => this.respond(exchange, name, version, body));
    });
  }

  private respond(
    exchange: Exchange,
    siteName: string,
    version: Version,
    { value: body, bytes }: ReceivedBody,
  ): Answer | Promise<Answer> {
    const { request, response } = exchange;
    const { applicationId } = version.key;
    const answerer: Answerer = { applicationId, siteName, version: version.name, endpoint: undefined };
    exchange.answerer = answerer;
    return this.responder.answer(
      { request, siteName, version, body, bytes },
      {
        matched: (endpoint) => (answerer.endpoint = endpoint),
        whenGone: (gone) => void (response.destroyed ? gone() : response.once('close', gone)),
      },
    );
  }

  /** Reserves memory for the body of a request until the response has ended. Returns whether there is enough. */
  private holdBody({ request, response }: Exchange, siteName: string): boolean {
    const bytes = announcedBytes(request.raw);
    // The body of a client that is gone never arrives, and its response has ended.
    if (bytes === 0 || response.destroyed) return true;
    const release = this.bodies.hold(siteName, bytes);
    if (release) response.once('close', release);
    return release !== undefined;
  }

  /**
   * Whether the host of the request that a proxy sent is a site too, although the proxy forwards another host. A client
   * could have sent the header, to be served the site or the files of others under the name of this one.
   */
  private async isForeignHost(proxiedHost: string, { origin: { address } }: SiteRequest): Promise<boolean> {
    const name = this.sites.nameOf(proxiedHost);
    if (!name) return false;
    return name.kind === 'files' || (await this.sites.find(name, address)) !== undefined;
  }

  private sendAnswer(exchange: Exchange, answer: Answer): void {
    if (!('stream' in answer)) return this.send(exchange, answer);
    if (!this.streams.hasRoom(answer.stream.applicationId)) return this.send(exchange, TOO_MANY_STREAMS);
    const { request, response } = exchange;
    if (response.destroyed) return;
    const { stream, cookies } = answer;
    const head = { status: 200, headers: { ...answer.headers, ...STREAM_HEADERS }, cookies };
    response.writeHead(200, this.headersFor(exchange, head));
    this.countAnswer(exchange, 200);
    if (request.isHead) return void response.end();
    response.flushHeaders();
    this.streams.open(response, stream);
  }

  private send(exchange: Exchange, reply: SiteReply): void {
    const { request, response } = exchange;
    this.countAnswer(exchange, reply.status);
    if (response.destroyed) return;
    const body = request.isHead ? '' : reply.body;
    write(request.raw, response, reply.status, this.headersFor(exchange, reply), body);
  }

  private countAnswer({ answerer }: Exchange, status: number): void {
    if (answerer) this.log.count(answerer, status);
  }

  private headersFor({ request, version }: Exchange, reply: SiteHead): string[] {
    const { isSecure, host } = request.origin;
    return headersOf(reply, { version, isSecure, host, origin: request.raw.headers.origin });
  }

  /** Returns the reply for an error, without details of errors of the platform. */
  private replyFor(error: Error): SiteReply {
    if (error instanceof MalformedRequest) return errorReply(400, error.message);
    const shown = apiErrorOf(error);
    if (!shown) this.logger.error(error);
    return errorReply(
      shown?.status ?? 500,
      shown?.message ?? 'Internal error',
      lowerCased(shown?.headers ?? {}),
    );
  }
}

const lowerCased = (headers: ApiError['headers']): SiteReply['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function write(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  body: string | Buffer,
): void {
  // A request without a body is not complete either until its head has been handled.
  if (!request.complete && hasBody(request)) response.once('finish', () => closeUnlessRead(request));
  response.writeHead(status, headers);
  if (ended.length === 0) setImmediate(endAll);
  ended.push([response, allowsBody(status) ? body : undefined]);
}

/**
 * Responses of this turn of the event loop, which are written together. A write of its own wakes the reading process each
 * time, which takes longer than handling a request.
 */
let ended: [response: ServerResponse, body: string | Buffer | undefined][] = [];

function endAll(): void {
  const responses = ended;
  ended = [];
  for (const [response, body] of responses) response.end(body);
}
