import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { COMPRESSION } from '../../lib/http/compression.js';
import {
  MAX_GATEWAY_FLOWS,
  readErrors,
  readFlowReports,
  readHello,
  readMetrics,
  type FlowReport,
  type GatewayHello,
  type RunningFlow,
} from '../../modules/deployments/edge-deployments/edge-agent.messages.js';
import type { FlowContent } from '../../modules/deployments/edge-deployments/edge-contents.repository.js';
import type { SyncPart } from '../../modules/deployments/edge-deployments/edge-agent.service.js';
import {
  deviceDebugChannel,
  flowDebugChannel,
  ownDeviceDebugChannel,
} from '../../workflows/debug/debug-channels.js';
import type { ReportedRuns } from '../../workflows/runs/reported-runs.repository.js';
import { AgentSession } from './agent-session.js';

const zipped = promisify(gzip);

/** Bytes of workflows in a message before compression. A larger workflow is a message of its own. */
const MAX_FLOWS_BYTES = 200 * 1024;
/** Workflows that are read at a time. */
const MAX_READ = 20;
/** Reports that are not stored yet. Further ones are dropped; the next hello makes up for them. */
const MAX_REPORTS = 10 * MAX_GATEWAY_FLOWS;
/** Time for which a workflow is debugged before that is repeated. */
const DEBUG_MS = 60_000;
/** Time after which further workflows are sent to an agent that has not read the others. */
const CONTINUE_MS = 500;
/** Content of a workflow whose removal was sent. */
const REMOVED = '';

/** A gateway with an edge agent, which receives workflows, and the facts that they read. */
export class GatewaySession extends AgentSession {
  private hello?: GatewayHello;
  private isGreeted = false;
  private reports: FlowReport[] = [];
  /** Workflows that run, with their content. */
  private readonly running = new Map<string, string>();
  /** Contents that were sent in this connection. A workflow that could not run is sent again in the next one. */
  private readonly sentFlows = new Map<string, string>();
  /** Times until which the agent sends debug messages of workflows. */
  private readonly debugEnds = new Map<string, number>();
  private readonly sentParts = new Map<SyncPart['name'], string>();

  receive(name: string, payload: Buffer): Promise<void> | undefined {
    if (name === 'hello') this.greet(payload);
    else if (name === 'flows') this.report(payload);
    else if (name === 'debug') this.services.showDebug(this.grant, payload);
    else if (name === 'metrics') return this.count(name, payload, readMetrics);
    else if (name === 'errors') return this.count(name, payload, readErrors);
    return undefined;
  }

  signalled(): void {
    if (this.hello) this.wake();
  }

  /** An agent sends debug messages of a workflow until a time, which is put off while somebody watches. */
  override watched(): void {
    const { watched } = this.services;
    const { deviceId } = this.grant;
    const isDeviceWatched =
      watched.has(deviceDebugChannel(deviceId)) || watched.has(ownDeviceDebugChannel(deviceId));
    const now = Date.now();
    for (const flowId of this.running.keys()) {
      if (!isDeviceWatched && !watched.has(flowDebugChannel(flowId))) continue;
      if ((this.debugEnds.get(flowId) ?? 0) > now + DEBUG_MS / 2) continue;
      const until = new Date(now + DEBUG_MS);
      const request = Buffer.from(JSON.stringify({ flowId, level: 'verbose', until }));
      if (this.client.tell('debug', request)) this.debugEnds.set(flowId, until.getTime());
    }
  }

  protected async compare(): Promise<void> {
    await this.store();
    if (await this.sendFlows()) await this.sendParts();
  }

  private greet(payload: Buffer): void {
    const hello = this.services.read(this.grant, 'hello', payload, readHello);
    if (!hello) return;
    this.hello = hello;
    this.isGreeted = true;
    // What the agent has said before is part of its hello, except reasons why workflows do not run.
    this.reports = this.reports.filter(({ error }) => error !== undefined);
    this.running.clear();
    for (const [flowId, flow] of Object.entries(hello.flows))
      if (flow.fileName === undefined) this.running.set(flowId, contentOf(flow));
    this.wake();
  }

  private report(payload: Buffer): void {
    const reports = this.services.read(this.grant, 'flows', payload, readFlowReports);
    if (!reports || this.reports.length + reports.length > MAX_REPORTS) return;
    for (const { flowId, version, etag, error } of reports) {
      if (error !== undefined) continue;
      if (version && etag) this.running.set(flowId, contentOf({ version, etag }));
      else this.running.delete(flowId);
    }
    this.reports.push(...reports);
    this.wake();
  }

  /** Stores what the agent has said. Messages that arrive in the meantime are stored next. */
  private async store(): Promise<void> {
    const { hello } = this;
    if (this.isGreeted) {
      await this.services.gateways.hello(this.grant, hello!);
      if (hello !== this.hello) return;
      this.isGreeted = false;
    }
    const reports = this.reports.splice(0);
    if (reports.length === 0) return;
    try {
      await this.services.gateways.report(this.grant, reports);
    } catch (error) {
      const isReplaced = hello !== this.hello;
      this.reports.unshift(...reports.filter((report) => !isReplaced || report.error !== undefined));
      throw error;
    }
  }

  /** Stores runs that the agent has counted, or errors of runs. */
  private count(
    name: string,
    payload: Buffer,
    read: (value: unknown) => ReportedRuns[],
  ): Promise<void> | undefined {
    const reported = this.services.read(this.grant, name, payload, read);
    return reported && this.services.gateways.count(this.grant, reported);
  }

  /** Sends the difference of the workflows. Returns whether the agent has received all of it. */
  private async sendFlows(): Promise<boolean> {
    const desired = await this.services.gateways.desired(this.grant);
    const ids = new Set(desired.map(({ flowId }) => flowId));
    const removed = [...this.running.keys()].filter(
      (flowId) => !ids.has(flowId) && this.sentFlows.get(flowId) !== REMOVED,
    );
    const due = desired.filter(({ flowId, ...flow }) => {
      const content = contentOf(flow);
      return this.running.get(flowId) !== content && this.sentFlows.get(flowId) !== content;
    });
    for (let at = 0; at < due.length; at += MAX_READ) {
      const asked = new Map(
        due.slice(at, at + MAX_READ).map(({ flowId, ...flow }) => [flowId, contentOf(flow)]),
      );
      const flows = await this.services.gateways.flows(this.grant, [...asked.keys()]);
      const groups = groupsOf(flows);
      for (const [i, group] of groups.entries()) {
        if (this.client.isBehind) {
          // A slow connection would otherwise be closed again and again during the same release.
          this.wakeAfter(CONTINUE_MS);
          return false;
        }
        const isLast = at + MAX_READ >= due.length && i === groups.length - 1;
        if (!(await this.sendChange(group, isLast ? removed.splice(0) : []))) return false;
        for (const { flowId } of group) this.sentFlows.set(flowId, asked.get(flowId)!);
      }
    }
    return removed.length === 0 || (await this.sendChange([], removed));
  }

  /**
   * Sends workflows and the IDs of those to remove. They are one change, so that no workflow runs without the custom nodes
   * that only its former version executes.
   */
  private async sendChange(flows: readonly FlowContent[], removed: readonly string[]): Promise<boolean> {
    const set = flows.map(({ json }) => json).join(',');
    if (!(await this.send('flows', `{"set":[${set}],"remove":${JSON.stringify(removed)}}`))) return false;
    for (const flowId of removed) this.sentFlows.set(flowId, REMOVED);
    return true;
  }

  /** Sends the facts that the agent does not know yet. */
  private async sendParts(): Promise<void> {
    const parts = await this.services.gateways.parts(this.grant);
    const due = parts.filter(
      ({ name, etagName, etag }) => this.hello![etagName] !== etag && this.sentParts.get(name) !== etag,
    );
    if (due.length === 0) return;
    const members = due.map(
      ({ name, etagName, etag, json }) => `"${name}":${json},"${etagName}":${JSON.stringify(etag)}`,
    );
    if (!(await this.send('sync', `{${members.join(',')}}`))) return;
    for (const { name, etag } of due) this.sentParts.set(name, etag);
  }

  /** Sends a message, compressed if the agent has asked for it. Returns whether the client has received it. */
  private async send(name: string, json: string): Promise<boolean> {
    const bytes = Buffer.from(json);
    const sent = this.hello!.gzip ? await COMPRESSION.run(this.grant.ownerId, () => zipped(bytes)) : bytes;
    return !this.hasEnded && this.tell(name, sent);
  }
}

/** Identifies the content of a workflow. Versions with the same content have the same ETag. */
const contentOf = ({ version, etag }: Pick<RunningFlow, 'version' | 'etag'>): string => `${etag} ${version}`;

/** Returns workflows in groups that fit into messages. */
function groupsOf(flows: readonly FlowContent[]): FlowContent[][] {
  const groups: FlowContent[][] = [];
  let bytes = Infinity;
  for (const flow of flows) {
    const length = Buffer.byteLength(flow.json);
    bytes += length;
    if (bytes > MAX_FLOWS_BYTES) {
      groups.push([flow]);
      bytes = length;
    } else groups.at(-1)!.push(flow);
  }
  return groups;
}
