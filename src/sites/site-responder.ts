import { Injectable } from '@nestjs/common';
import { whenReady } from '../lib/async/when-ready.js';
import { RunsIn } from '../platform/processes/roles.js';
import { PreparedReplies, type Statuses } from './replies/prepared-replies.js';
import { preflightReply } from './replies/reply-headers.js';
import { errorReply, type SiteReply } from './replies/site-reply.js';
import type { StreamRequest } from './replies/topic-streams.js';
import type { Endpoint, PreparedReply } from './versions/version.js';
import { EndpointAccess, type AccessDecision } from './visitors/endpoint-access.js';
import { Visitors } from './visitors/visitors.js';
import type { Visit } from './visit.js';
import { WorkflowReplies } from './workflow-replies.js';

/** Server-sent events in place of a body. */
export interface StreamAnswer extends Pick<SiteReply, 'headers' | 'cookies'> {
  readonly stream: StreamRequest;
}

export type Answer = SiteReply | StreamAnswer;

/** A request whose endpoint is not known yet. */
type Arrival = Pick<Visit, 'request' | 'siteName' | 'version' | 'body' | 'bytes'>;

/** What the server does while a request is answered. */
export interface Progress {
  /** Called with the endpoint that the request matches. */
  matched(endpoint: Endpoint): void;
  /** Registers what to do when the client disconnects. */
  readonly whenGone: (gone: () => void) => void;
}

const STATIC: Statuses = { page: 200, redirect: 301 };
const UNAUTHORIZED: Statuses = { page: 401, redirect: 302 };
const NOT_FOUND: Statuses = { page: 404, redirect: 302 };

const NO_ROUTE = errorReply(404, 'No endpoint found for route');
const MALFORMED_PATH = errorReply(400, 'The path of the request is malformed');
const REFUSALS = { 401: errorReply(401, 'Unauthorized'), 403: errorReply(403, 'Forbidden') };
const TIMED_OUT = errorReply(504, 'Time out waiting for workflow reply');

/** Decides how a version of an experience answers a request. */
@Injectable()
@RunsIn('sites')
export class SiteResponder {
  constructor(
    private readonly visitors: Visitors,
    private readonly access: EndpointAccess,
    private readonly prepared: PreparedReplies,
    private readonly workflows: WorkflowReplies,
  ) {}

  answer(arrival: Arrival, progress: Progress): Answer | Promise<Answer> {
    const { request, siteName, version, body, bytes } = arrival;
    const match = matchOf(arrival);
    if (match === 'malformed') return MALFORMED_PATH;
    if (!match && request.method === 'options' && version.corsOrigins)
      return preflightReply(request.raw.headers['access-control-request-headers']);
    if (match) progress.matched(match.endpoint);
    const { token } = request;
    const visitor = token === undefined ? undefined : this.visitors.of(version.application.id, token);
    const { endpoint, params = {} } = match ?? {};
    return whenReady(visitor, (known) => {
      // Without a spread, which takes as long as all else here.
      const visit: Visit = { request, siteName, version, body, bytes, visitor: known, endpoint, params };
      if (!endpoint) return this.refuse(visit, version.notFoundReply, NOT_FOUND, NO_ROUTE);
      return whenReady(this.access.decide(visit), (decision) =>
        this.decided(visit, endpoint, decision, progress),
      );
    });
  }

  private decided(
    visit: Visit,
    endpoint: Endpoint,
    decision: AccessDecision,
    progress: Progress,
  ): Answer | Promise<Answer> {
    if (!decision.isGranted) {
      const reply = endpoint.unauthorizedReply ?? visit.version.unauthorizedReply;
      return this.refuse(visit, reply, UNAUTHORIZED, REFUSALS[decision.status]);
    }
    const { device } = decision;
    return this.serve(device ? { ...visit, device } : visit, endpoint, progress);
  }

  /** Refuses a request. Only workflows that listen to every request are started. */
  private refuse(
    visit: Visit,
    reply: PreparedReply | undefined,
    statuses: Statuses,
    otherwise: SiteReply,
  ): SiteReply | Promise<SiteReply> {
    this.workflows.startUniversal(visit);
    return reply ? this.prepared.make(visit, reply, statuses) : otherwise;
  }

  private serve(visit: Visit, { staticReply }: Endpoint, progress: Progress): Answer | Promise<Answer> {
    if (!staticReply) return this.byWorkflow(visit, progress);
    this.workflows.start(visit);
    return this.prepared.make(visit, staticReply, STATIC);
  }

  private async byWorkflow(visit: Visit, progress: Progress): Promise<Answer> {
    const reply = await this.workflows.await(visit, progress.whenGone);
    if (!reply) return TIMED_OUT;
    if (reply.content?.kind !== 'topics') return this.prepared.ofWorkflow(visit, reply);
    const { headers, cookies, content } = reply;
    return { headers, cookies, stream: streamOf(visit, content.topics) };
  }
}

function matchOf({ request, version }: Arrival) {
  try {
    return version.router.match(request.method, request.path);
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
}

const streamOf = ({ version, visitor }: Visit, topics: readonly string[]): StreamRequest => ({
  topics,
  applicationId: version.application.id,
  ownerId: version.ownerId,
  userId: visitor?.user.id,
  endsAt: visitor?.authInfo.expiresAt?.getTime() ?? Infinity,
});
