import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import {
  ReportedRunsRepository,
  type ReportedRuns,
} from '../../../workflows/runs/reported-runs.repository.js';
import type { FlowReport, GatewayHello, SyncEtags } from './edge-agent.messages.js';
import { EdgeAgentsRepository } from './edge-agents.repository.js';
import { EdgeContentsRepository, type DesiredFlow, type FlowContent } from './edge-contents.repository.js';

/** A device whose agent is connected. */
export interface AgentDevice {
  readonly applicationId: string;
  readonly deviceId: string;
}

/** A fact of the application or its devices, as JSON, with the name and value of its ETag. */
export interface SyncPart {
  readonly name: 'application' | 'device' | 'peripherals';
  readonly etagName: keyof SyncEtags;
  readonly etag: string;
  readonly json: string;
}

/** Keeps what the agents of gateways run in step with their deployments. */
@Injectable()
export class EdgeAgentService {
  constructor(
    private readonly agents: EdgeAgentsRepository,
    private readonly contents: EdgeContentsRepository,
    private readonly runs: ReportedRunsRepository,
  ) {}

  /** Records what a device runs. */
  async hello({ applicationId, deviceId }: AgentDevice, { version, flows }: GatewayHello): Promise<void> {
    const running = Object.entries(flows).map(([flowId, flow]) => ({ flowId, ...flow }));
    await this.agents.hello(applicationId, deviceId, { agentVersion: version, flows: running });
  }

  /** Records what a device says about some of its workflows. */
  async report({ applicationId, deviceId }: AgentDevice, reports: readonly FlowReport[]): Promise<void> {
    await this.agents.report(applicationId, deviceId, reports);
  }

  /** Records runs that a device has counted. */
  async count({ applicationId, deviceId }: AgentDevice, reported: readonly ReportedRuns[]): Promise<void> {
    await this.runs.store(applicationId, deviceId, reported);
  }

  /** Returns the workflows that a device is to run. */
  desired({ applicationId, deviceId }: AgentDevice): Promise<DesiredFlow[]> {
    return this.contents.desired(applicationId, deviceId);
  }

  /** Returns the desired versions of workflows of a device. */
  flows({ applicationId, deviceId }: AgentDevice, flowIds: readonly string[]): Promise<FlowContent[]> {
    return this.contents.flows(applicationId, deviceId, flowIds);
  }

  /** Returns the facts that a device is to know. */
  async parts({ applicationId, deviceId }: AgentDevice): Promise<SyncPart[]> {
    const [application, device, peripherals] = await Promise.all([
      this.contents.application(applicationId),
      this.contents.device(applicationId, deviceId),
      this.contents.peripherals(applicationId, deviceId),
    ]);
    return [
      partOf('application', 'globalsEtag', application),
      partOf('device', 'deviceEtag', device),
      partOf('peripherals', 'peripheralsEtag', peripherals),
    ].flat();
  }
}

function partOf(name: SyncPart['name'], etagName: keyof SyncEtags, json: string | undefined): SyncPart[] {
  if (json === undefined) return [];
  const etag = createHash('sha256').update(json).digest('base64url');
  return [{ name, etagName, etag, json }];
}
