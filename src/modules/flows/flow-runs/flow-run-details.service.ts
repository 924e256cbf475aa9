import { Injectable } from '@nestjs/common';
import { TooManyRequests, ValidationError } from '../../../lib/errors/errors.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { RequestThrottle } from '../../../platform/throttle/request-throttle.js';
import { END } from '../../../workflows/engine/node-run.js';
import { FAILED } from '../../../workflows/engine/trace.js';
import { RUN_REPLAY } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { flowEntry } from './flow-entry.js';
import { FlowRunDetailsRepository, type ListedRun } from './flow-run-details.repository.js';
import { DEVELOP } from './flow-run.columns.js';
import type { FlowRunsDroppedQuery, FlowRunsQuery } from './flow-runs.query.js';
import { FlowRunsService } from './flow-runs.service.js';

const RETRY_AFTER_SECONDS = 10;

/** Shows single runs, and repeats them. */
@Injectable()
export class FlowRunDetailsService {
  constructor(
    private readonly details: FlowRunDetailsRepository,
    private readonly runs: FlowRunsService,
    private readonly firings: Firings,
    private readonly database: Database,
    private readonly throttle: RequestThrottle,
  ) {}

  /** Returns runs, newest first. */
  async list(applicationId: string, flowId: string, query: FlowRunsQuery): Promise<object> {
    await this.runs.assertFlow(applicationId, flowId);
    return { items: (await this.details.list(flowId, query)).map(shown) };
  }

  /** Returns the number of dropped runs per step. */
  dropped(applicationId: string, flowId: string, query: FlowRunsDroppedQuery): Promise<object> {
    return this.runs.dropped({ applicationId, flowId, flowVersion: query.flowVersion }, query);
  }

  /** Returns a run with its trigger. */
  async get(applicationId: string, flowId: string, id: string): Promise<object> {
    const { trigger, ...run } = await this.details.find(applicationId, flowId, id);
    return { ...shown(run), trigger: trigger ?? undefined };
  }

  /** Returns the executions of the nodes of a run. */
  async trace(applicationId: string, flowId: string, id: string): Promise<object> {
    const { reason, count, nodes, entries } = await this.details.trace(applicationId, flowId, id);
    const executions = entries.map(([at, start, duration, output]) => {
      const { id: nodeId, type: nodeType, label: nodeLabel } = nodes[at]!;
      return { nodeId, nodeType, nodeLabel, start, duration, ...outcomeOf(output) };
    });
    return { flowRunId: id, reason, executionCount: count, executions };
  }

  /** Requests a run with the payload and the version of another one. Returns its ID. */
  async replay(
    application: ApplicationAccess,
    flowId: string,
    id: string,
    by: Author,
  ): Promise<{ flowRunId: string }> {
    const run = await this.details.replayable(application.id, flowId, id);
    const { flowVersionId, deviceId, requestedAt, hasVersion, isEnabled, trigger } = run;
    if (!hasVersion) throw new ValidationError('The version of the run has been deleted');
    if (!isEnabled) throw new ValidationError('The workflow or the version of the run is disabled');
    if (!trigger) throw new ValidationError('The payload of the run has expired');
    this.throttle.consume(`replay:${flowId}`);
    const { type, key, ...rest } = trigger;
    const given = textOf({ time: requestedAt.toISOString(), ...rest });
    const triggers = [{ type, key, flowId, flowVersionId }];
    const firing = { applicationId: application.id, deviceId, triggers, items: [{ given }] };
    return this.database.transaction(async (transaction) => {
      const [flowRunId] = await this.firings.fire(RUN_REPLAY, [firing], transaction);
      if (flowRunId === undefined)
        throw new TooManyRequests(
          RETRY_AFTER_SECONDS,
          'Too many runs of workflows of the application are waiting',
        );
      await writeEntry(transaction.manager, by, flowEntry(application, { flowId, ...run }));
      return { flowRunId };
    });
  }
}

function shown({ id, flowVersionId, deviceId, finishedAt, ...run }: ListedRun): object {
  return {
    flowRunId: id,
    flowVersionId: flowVersionId ?? DEVELOP,
    deviceId: deviceId ?? undefined,
    finishedAt: finishedAt ?? undefined,
    ...run,
  };
}

function outcomeOf(output: number): object {
  if (output === FAILED) return { outcome: 'failed' };
  return output === END ? { outcome: 'ended' } : { outcome: 'continued', output };
}
