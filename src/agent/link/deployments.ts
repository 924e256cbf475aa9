import { isObject } from '../../lib/json/json.js';
import { isId } from '../../workflows/graph/graph.js';
import { FlowRefused, readFlow, type AgentFlow } from '../flows/agent-flow.js';
import type { Flows } from '../flows/flows.js';
import type { Log } from '../log.js';
import type { SyncedFacts } from '../synced-facts.js';
import { AGENT_VERSION } from '../version.js';

/** What became of a workflow that the platform has sent. */
export interface FlowReport {
  readonly flowId: string;
  /** Absent if it was removed. */
  readonly version?: string;
  readonly etag?: string;
  /** Why it does not run. The former version goes on. */
  readonly error?: string;
}

const MAX_FLOWS = 1_000;

/** Applies the deployments of the platform. */
export class Deployments {
  constructor(
    private readonly flows: Flows,
    private readonly facts: SyncedFacts,
    private readonly topicPrefix: string,
    private readonly log: Log,
  ) {}

  /** Returns the hello of the agent: its version, its workflows, and the ETags of its facts. */
  hello(): object {
    const flows = this.flows.all.map(({ flow: { flowId, flowVersion, etag, fileName } }) => [
      flowId,
      { version: flowVersion, etag, fileName },
    ]);
    return {
      service: 'gatewayEdgeAgent',
      version: AGENT_VERSION,
      gzip: true,
      flows: Object.fromEntries(flows) as object,
      ...this.facts.etags,
    };
  }

  /** Installs and removes workflows. Returns a report for each. */
  apply({ set, remove }: Readonly<Record<string, unknown>>): FlowReport[] {
    const removed = listOf(remove).flatMap((flowId) => this.remove(flowId) ?? []);
    // Workflows use the custom nodes that are sent with them.
    const given: readonly unknown[] = [...listOf(set)].sort(
      (a, b) => Number(isCustomNode(b)) - Number(isCustomNode(a)),
    );
    return [...removed, ...given.flatMap((value) => this.install(value) ?? [])];
  }

  private remove(flowId: unknown): FlowReport | undefined {
    if (!isId(flowId)) return undefined;
    const found = this.flows.get(flowId)?.flow;
    this.flows.remove(flowId);
    if (found) this.log.info(`${found.flowName} was removed`);
    return { flowId };
  }

  private install(value: unknown): FlowReport | undefined {
    if (!isObject(value) || !isId(value.flowId)) return undefined;
    const { flowId, flowVersion, etag } = value;
    const report = { flowId, version: nameOf(flowVersion), etag: nameOf(etag) };
    try {
      const flow: AgentFlow = readFlow(value, this.topicPrefix);
      this.flows.install(flow);
      this.log.info(`${flow.flowName} runs in version ${flow.flowVersion}`);
      return report;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof FlowRefused)
        this.log.warn(`${nameOf(value.flowName) ?? flowId} was refused: ${message}`);
      else this.log.error(error, `${nameOf(value.flowName) ?? flowId} could not be installed`);
      return { ...report, error: message };
    }
  }
}

const isCustomNode = (value: unknown): boolean => isObject(value) && value.flowClass === 'customNode';
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]).slice(0, MAX_FLOWS) : [];
