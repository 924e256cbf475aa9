import { Injectable, Logger } from '@nestjs/common';
import {
  channelOf,
  EndpointRequestsService,
} from '../modules/experience/experience-endpoints/endpoint-requests.service.js';
import { PayloadCounter } from '../platform/payloads/payload-counter.js';
import { RunsIn } from '../platform/processes/roles.js';
import { networkOf } from '../platform/throttle/network.js';
import type { Reply } from '../workflows/engine/ports.js';
import { ANY_ENDPOINT } from '../workflows/runs/causes.js';
import { Replies } from '../workflows/runs/replies.js';
import type { Version } from './versions/version.js';
import { shownExperience, shownRequest, type Visit } from './visit.js';

/** What a request fires. */
interface Fired {
  readonly endpointId: string;
  /** Of a request that waits. Others have one that nobody waits for. */
  readonly replyId?: string;
}

/** Starts the workflows of requests, and waits for their replies. */
@Injectable()
@RunsIn('sites')
export class WorkflowReplies {
  private readonly logger = new Logger(WorkflowReplies.name);

  constructor(
    private readonly requests: EndpointRequestsService,
    private readonly replies: Replies,
    private readonly counter: PayloadCounter,
  ) {}

  /**
   * Starts the workflows of a request and returns the first reply, or `undefined` after the time-out and when `gone` is
   * called. Waits also if no workflow has started, because a missing one is no other address.
   */
  async await(visit: Visit, whenGone: (gone: () => void) => void): Promise<Reply | undefined> {
    const { applicationId } = visit.version.key;
    const endpointId = idOf(visit);
    const replyId = this.replies.newReplyId(endpointId);
    // The workflow may reply before it is known to have started.
    const awaited = this.replies.expect(applicationId, replyId);
    whenGone(() => awaited.cancel());
    try {
      await this.fire(visit, { endpointId, replyId });
    } catch (error) {
      awaited.cancel();
      throw error;
    }
    return awaited.reply;
  }

  /** Starts the workflows of a request that is answered without them. A failure is logged. */
  start(visit: Visit): void {
    this.startOf(visit, idOf(visit));
  }

  /** Like `start`, for a request that is refused: only workflows that listen to every request are started. */
  startUniversal(visit: Visit): void {
    if (isHeard(visit, visit.version)) this.startOf(visit, ANY_ENDPOINT);
  }

  private startOf(visit: Visit, endpointId: string): void {
    this.fire(visit, { endpointId })?.catch((error: Error) =>
      this.logger.warn(`Could not start the workflows of a request: ${error.message}`),
    );
  }

  /** Nothing is written for requests that no workflow listens to. */
  private fire(visit: Visit, { endpointId, replyId }: Fired): Promise<unknown> | undefined {
    const { version, visitor, request, bytes } = visit;
    const { id: applicationId } = version.application;
    const userId = visitor?.user.id;
    if (!isHeard(visit, visit.endpoint ?? version)) {
      this.counter.add({
        applicationId,
        deviceId: null,
        type: 'endpoint',
        channel: channelOf(userId),
        bytes,
      });
      return undefined;
    }
    return this.requests.fire({
      applicationId,
      endpointId,
      experienceVersion: version.name,
      flowVersion: request.flowVersion,
      data: Object.assign({}, shownRequest(visit), {
        replyId: replyId ?? this.replies.newReplyId(endpointId),
      }),
      experience: shownExperience(visit),
      userId,
      network: networkOf(request.origin.address),
      isAwaited: replyId !== undefined,
      bytes,
    });
  }
}

/**
 * Whether workflows may listen to a request. Those that listen in the version that the request names for workflows of the
 * application are not known.
 */
const isHeard = ({ request }: Visit, { isTrigger }: Pick<Version, 'isTrigger'>): boolean =>
  isTrigger || request.flowVersion !== undefined;

/** Requests without an endpoint have the ID that stands for all. */
const idOf = ({ endpoint }: Visit): string => endpoint?.id ?? ANY_ENDPOINT;
