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
  type TriggerEvent,
  type RunSelection,
} from './flow-runs.repository.js';

/** Version of a workflow in responses. The development version has no ID. */
interface NamedVersion {
  flowVersionId?: string;
  flowVersion: string;
}

/** Enqueues and reports runs of workflows. Workflow executors carry them out. */
@Injectable()
export class FlowRunsService {
  constructor(
    private readonly runs: FlowRunsRepository,
    private readonly sums: FlowRunSumsRepository,
    private readonly ofDevices: DeviceRunsRepository,
    private readonly ofEndpoints: EndpointRunsRepository,
  ) {}

  /**
   * Enqueues a run of every cloud workflow of the application whose trigger matches, in the default version or the
   * named version. Returns the IDs of the runs. `payload` is counted in the same statement; it is omitted if the caller
   * has counted it already. `happening` contains the change that triggers filter by, and its transaction.
   */
  fire(
    applicationId: string,
    trigger: RunTrigger,
    version = 'default',
    payload?: Payloads,
    happening?: TriggerEvent,
  ): Promise<string[]> {
    return this.runs.fire(applicationId, trigger, version, payload, happening);
  }

  /** Like `fire`, for the activity of devices, in one statement. */
  fireForDevices(firings: readonly DeviceFiring[]): Promise<void> {
    return this.ofDevices.fire(firings);
  }

  /** Like `fire`, for a request to an experience endpoint, and counts its payload. */
  fireForEndpoint(firing: EndpointFiring): Promise<string[]> {
    return this.ofEndpoints.fire(firing);
  }

  /** Returns runs, newest first. */
  async log(of: RunSelection, { limit, since }: FlowLogQuery): Promise<object[]> {
    const { scope } = await this.scopeOf(of);
    const runs = await this.runs.log(scope, since, limit);
    return runs.map(({ requestedAt, flowVersionId, ...run }) => ({
      time: requestedAt,
      flowVersionId: flowVersionId ?? DEVELOP,
      runCount: 1,
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
