import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { EndpointFiring } from '../../flows/flow-runs/endpoint-runs.repository.js';
import { FlowRunsService } from '../../flows/flow-runs/flow-runs.service.js';
import { EndpointRequestsRepository, type AnsweredRequest } from './endpoint-requests.repository.js';
import type { EndpointStatsQuery } from './experience-endpoints.query.js';
import { MOST_POINTS, stepsOf } from './request-window.js';

/** Requests of a step of time. */
interface StepCount {
  time: Date;
  count: number;
}

/** Requests to experiences: noted by whoever serves these, and told of here. */
@Injectable()
export class EndpointRequestsService {
  constructor(
    private readonly requests: EndpointRequestsRepository,
    private readonly runs: FlowRunsService,
  ) {}

  /**
   * Asks for runs of the workflows that answer a request to an endpoint; whoever serves it has found that the caller may
   * ask. Returns the ids of the runs.
   */
  fire(request: EndpointFiring): Promise<string[]> {
    return this.runs.fireForEndpoint(request);
  }

  /** Notes requests that were answered, of whatever applications. */
  recordRequests(requests: readonly AnsweredRequest[]): Promise<void> {
    return this.requests.note(requests);
  }

  /** Requests in steps of time, those without any among them. */
  async stats(
    application: ApplicationAccess,
    query: EndpointStatsQuery,
  ): Promise<Record<string, StepCount[]>> {
    const time = stepsOf(query);
    const counted = await this.requests.steps(application, time, query);
    const names = new Set(counted.map(({ name }) => name));
    if (counted.length > MOST_POINTS || names.size * time.steps.length > MOST_POINTS)
      throw new ValidationError(
        `resolution makes more than ${MOST_POINTS} counts: filter, or take longer steps`,
      );
    const nothing = () => time.steps.map((begin): StepCount => ({ time: begin, count: 0 }));
    const found = new Map([...names].map((name) => [name, nothing()]));
    for (const { name, step, count } of counted) found.get(name)![step]!.count = count;
    return Object.fromEntries(found);
  }
}
