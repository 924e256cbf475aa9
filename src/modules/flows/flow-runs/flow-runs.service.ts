import { Injectable } from '@nestjs/common';
import { DeviceRunsRepository, type DeviceFiring } from './device-runs.repository.js';
import { EndpointRunsRepository, type EndpointFiring } from './endpoint-runs.repository.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { Payloads } from '../../../platform/payloads/payload-deltas.js';
import { DEVELOP, type RunScope } from './flow-run.columns.js';
import type { RunTrigger } from './flow-run-payload.entity.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';
import { NO_RUNS, stepsOf, windowOf } from './flow-run-window.js';
import type { FlowLogQuery, FlowVersionErrorsQuery, FlowVersionStatsQuery } from './flow-runs.query.js';
import {
  FlowRunsRepository,
  type FoundVersion,
  type Happening,
  type RunsOf,
} from './flow-runs.repository.js';

/** A version of a workflow, as answers name it; that which is being developed has no id. */
interface NamedVersion {
  flowVersionId?: string;
  flowVersion: string;
}

/** Runs of workflows: asked for here, carried out by whoever executes workflows, and told of here. */
@Injectable()
export class FlowRunsService {
  constructor(
    private readonly runs: FlowRunsRepository,
    private readonly sums: FlowRunSumsRepository,
    private readonly ofDevices: DeviceRunsRepository,
    private readonly ofEndpoints: EndpointRunsRepository,
  ) {}

  /**
   * Asks for a run of every cloud workflow of the application that listens to the trigger: in the version that runs, or in
   * the one that is named, where there is such a one. Returns the ids of the runs. `payload` is counted in the same
   * statement; absent where whoever fires has counted it. `happening` names a change that triggers choose by, and the
   * transaction in which it happens.
   */
  fire(
    applicationId: string,
    trigger: RunTrigger,
    version = 'default',
    payload?: Payloads,
    happening?: Happening,
  ): Promise<string[]> {
    return this.runs.fire(applicationId, trigger, version, payload, happening);
  }

  /** As `fire`, of what devices did, in one statement for all of it. */
  fireForDevices(firings: readonly DeviceFiring[]): Promise<void> {
    return this.ofDevices.fire(firings);
  }

  /** As `fire`, of a request to an endpoint of an experience, which is counted. */
  fireForEndpoint(firing: EndpointFiring): Promise<string[]> {
    return this.ofEndpoints.fire(firing);
  }

  /** Runs, newest first. */
  async log(of: RunsOf, { limit, since }: FlowLogQuery): Promise<object[]> {
    const { scope } = await this.scopeOf(of);
    const runs = await this.runs.log(scope, since, limit);
    return runs.map(({ requestedAt, flowVersionId, ...run }) => ({
      time: requestedAt,
      flowVersionId: flowVersionId ?? DEVELOP,
      runCount: 1,
      ...run,
    }));
  }

  /** Runs counted in steps of time, those without any among them. */
  async stats(of: RunsOf, query: FlowVersionStatsQuery): Promise<object> {
    const { deviceId } = query;
    const time = stepsOf(query);
    const { scope, version } = await this.scopeOf(of);
    const counted = await this.sums.steps(scope, { ...time, deviceId });
    const found = new Map(counted.map(({ step, ...counts }) => [step, counts]));
    const { start, end, resolution, steps } = time;
    const metrics = steps.map((begin, step) => ({ time: begin, ...(found.get(step) ?? NO_RUNS) }));
    return { start, end, resolution, ...version, deviceId, metrics };
  }

  /** The errors that ended paths of the runs of a time. */
  async errors(of: RunsOf, query: FlowVersionErrorsQuery): Promise<object> {
    const { limit, sortDirection, deviceId } = query;
    const { scope, version } = await this.scopeOf(of);
    const { start, end } = windowOf(query);
    const found = await this.runs.errors(scope, { start, end, deviceId }, sortDirection, limit);
    const errors = found.map(({ error, ...rest }) => ({ ...error, ...rest }));
    return { start, end, limit, sortDirection, ...version, deviceId, errors };
  }

  /** The runs that are meant, and the version, where it is those of one. */
  private async scopeOf(of: RunsOf): Promise<{ scope: RunScope; version?: NamedVersion }> {
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
