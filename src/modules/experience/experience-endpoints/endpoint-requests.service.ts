import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { ANY_ENDPOINT, ENDPOINT_REQUEST } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { EndpointRequestsRepository } from './endpoint-requests.repository.js';
import type { EndpointStatsQuery } from './experience-endpoints.query.js';
import { MAX_POINTS, stepsOf } from './request-window.js';

/** Request to an experience endpoint, which workflows can reply to. */
export interface EndpointFiring {
  applicationId: string;
  /** Endpoint whose workflows are fired; that of all endpoints for a request that was refused. */
  endpointId: string;
  /** Name of the requested version of the experience. */
  experienceVersion: string;
  /**
   * Version in which workflows of the application run, because experience versions do not include them; `default`
   * selects the default version.
   */
  flowVersion?: string;
  /** Payload for workflows, with the request. */
  data: object;
  /** Endpoint, user and version, for the payload. */
  experience: object;
  /** User who sent the request, if somebody has signed in. */
  userId?: string;
  /** Network of the client, by which wrong passwords are counted. */
  network?: string;
  /** Whether the sender waits for a reply. */
  isAwaited: boolean;
  /** Size of the request, for payload counts. */
  bytes: number;
}

/** Number of requests in a time step. */
interface StepCount {
  time: Date;
  count: number;
}

/** Records requests to experiences, fires their workflows and returns statistics. */
@Injectable()
export class EndpointRequestsService {
  constructor(
    private readonly requests: EndpointRequestsRepository,
    private readonly firings: Firings,
  ) {}

  /**
   * Enqueues runs of the workflows triggered by a request to an endpoint and returns their IDs. The server of the
   * experience has already authorized the caller.
   */
  fire(request: EndpointFiring): Promise<string[]> {
    const { applicationId, endpointId, experienceVersion, flowVersion, isAwaited, bytes } = request;
    const { data, experience, userId, network } = request;
    const triggers = [endpointId, ANY_ENDPOINT].flatMap((key) => [
      { type: 'endpoint', key, experienceVersion, flowClass: 'experience', version: experienceVersion },
      { type: 'endpoint', key, experienceVersion, flowClass: 'cloud', version: flowVersion },
    ]);
    const source = userId === undefined ? {} : { sourceId: userId, sourceType: 'experienceUser' };
    const given = textOf({ data, experience, network, ...source });
    const items = [{ given, endpointId, channel: channelOf(userId), bytes }];
    return this.firings.fire(ENDPOINT_REQUEST, [{ applicationId, isAwaited, triggers, items }]);
  }

  /** Returns the number of requests per time step, including steps without requests. */
  async stats(
    application: ApplicationAccess,
    query: EndpointStatsQuery,
  ): Promise<Record<string, StepCount[]>> {
    const time = stepsOf(query);
    const counted = await this.requests.steps(application, time, query);
    const names = new Set(counted.map(({ name }) => name));
    if (counted.length > MAX_POINTS || names.size * time.steps.length > MAX_POINTS)
      throw new ValidationError(
        `resolution results in more than ${MAX_POINTS} counts: use filters or longer steps`,
      );
    const nothing = () => time.steps.map((begin): StepCount => ({ time: begin, count: 0 }));
    const found = new Map([...names].map((name) => [name, nothing()]));
    for (const { name, step, count } of counted) found.get(name)![step]!.count = count;
    return Object.fromEntries(found);
  }
}

/** Returns the channel of the payload of a request by a user, or of an anonymous one. */
export const channelOf = (userId: string | undefined): PayloadChannel =>
  userId === undefined ? 'public.rest' : 'experienceUser.rest';
