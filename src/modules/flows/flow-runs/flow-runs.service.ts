import { Injectable } from '@nestjs/common';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { DEVELOP, type RunScope } from './flow-run.columns.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';
import { NO_RUNS, stepsOf, windowOf } from './flow-run-window.js';
import type {
  FlowLogQuery,
  FlowVersionErrorsQuery,
  FlowVersionStatsQuery,
  RunStatsQuery,
} from './flow-runs.query.js';
import { FlowRunsRepository, type FoundVersion, type RunSelection } from './flow-runs.repository.js';

/** Version of a workflow in responses. The development version has no ID. */
interface NamedVersion {
  flowVersionId?: string;
  flowVersion: string;
}

/** Reports runs of workflows. */
@Injectable()
export class FlowRunsService {
  constructor(
    private readonly runs: FlowRunsRepository,
    private readonly sums: FlowRunSumsRepository,
  ) {}

  /** Throws `404` if the application does not have the workflow. */
  async assertFlow(applicationId: string, flowId: string): Promise<void> {
    if (!(await this.runs.find({ applicationId, flowId }))) throw new NotFound('Flow');
  }

  /** Returns runs, newest first. */
  async log(of: RunSelection, { limit, since }: FlowLogQuery): Promise<object[]> {
    const { scope } = await this.scopeOf(of);
    const runs = await this.runs.log(scope, since, limit);
    return runs.map(({ requestedAt, flowVersionId, ...run }) => ({
      time: requestedAt,
      flowVersionId: flowVersionId ?? DEVELOP,
      ...run,
    }));
  }

  /** Returns run counts per step, including steps without runs. */
  async stats(of: RunSelection, query: FlowVersionStatsQuery): Promise<object> {
    const { deviceId } = query;
    const time = stepsOf(query);
    const { scope, version } = await this.scopeOf(of);
    const counted = await this.sums.steps(scope, { ...time, deviceId });
    const found = new Map(counted.map(({ step, ...counts }) => [step, counts]));
    const { start, end, resolution, steps } = time;
    const metrics = steps.map((begin, step) => ({ time: begin, ...(found.get(step) ?? NO_RUNS) }));
    return { start, end, resolution, ...version, deviceId, metrics };
  }

  /** Returns the number of dropped runs per step, including steps without any. */
  async dropped(of: RunSelection, query: RunStatsQuery): Promise<object> {
    const time = stepsOf(query);
    const { scope, version } = await this.scopeOf(of);
    const counted = await this.sums.droppedSteps(scope, time);
    const found = new Map(counted.map(({ step, runsDropped }) => [step, runsDropped]));
    const { start, end, resolution, steps } = time;
    const metrics = steps.map((begin, step) => ({ time: begin, runsDropped: found.get(step) ?? 0 }));
    return { start, end, resolution, ...version, metrics };
  }

  /** Returns the errors that terminated paths of runs in the time range. */
  async errors(of: RunSelection, query: FlowVersionErrorsQuery): Promise<object> {
    const { limit, sortDirection, deviceId } = query;
    const { scope, version } = await this.scopeOf(of);
    const { start, end } = windowOf(query);
    const found = await this.runs.errors(scope, { start, end, deviceId }, sortDirection, limit);
    const errors = found.map(({ error, ...rest }) => ({ ...error, ...rest }));
    return { start, end, limit, sortDirection, ...version, deviceId, errors };
  }

  /** Returns the scope of the requested runs, and the version if they belong to one. */
  private async scopeOf(of: RunSelection): Promise<{ scope: RunScope; version?: NamedVersion }> {
    const { flowId, flowVersionId, flowVersion } = of;
    const found = await this.runs.find(of);
    if (!found) throw new NotFound('Flow');
    const version = versionOf(found, flowVersion);
    if (flowVersionId !== undefined && !version) throw new NotFound('Flow version');
    if (flowVersion !== undefined && !version)
      throw new ValidationError('flowVersion is not a version of the workflow');
    return {
      scope: version ? { flowId, flowVersionId: version.flowVersionId ?? null } : { flowId },
      version,
    };
  }
}

function versionOf({ id, version }: FoundVersion, asked: string | undefined): NamedVersion | undefined {
  if (id !== null && version !== null) return { flowVersionId: id, flowVersion: version };
  return asked === DEVELOP ? { flowVersion: DEVELOP } : undefined;
}
