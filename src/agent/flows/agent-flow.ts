import { Ajv } from 'ajv';
import { ApiError } from '../../lib/errors/errors.js';
import { ID_PATTERN } from '../../lib/ids/ids.js';
import { describeFaults } from '../../lib/json/schema-faults.js';
import type { FlowGraph } from '../../workflows/graph/graph.js';
import { checkGraph } from '../../workflows/graph/graph.rules.js';
import { normalizeGraph } from '../../workflows/graph/normalize.js';
import { customNodeCapNode } from '../../workflows/nodes/custom-node-cap/index.js';
import { NODE_KINDS } from '../../workflows/nodes/index.js';
import { AGENT_VERSION, isSupportedVersion } from '../version.js';

/** Workflow or custom node that the agent runs. */
export interface AgentFlow extends FlowGraph {
  readonly flowId: string;
  readonly flowName: string;
  readonly flowVersion: string;
  /** Differs for each content of the version. */
  readonly etag: string;
  readonly flowClass: 'customNode' | 'edge';
  /** Whether triggers start runs; `true` if absent. */
  readonly enabled?: boolean;
  /** Whether it is a custom node of the instance. */
  readonly isInstance?: boolean;
  /** Name of the file that it was read from; absent for a released workflow. */
  readonly fileName?: string;
}

/** A workflow cannot run on this agent. The message is shown in the log of the deployment. */
export class FlowRefused extends Error {}

/** Types of triggers, and of nodes, whose hardware or service the agent has no driver for. */
const WITHOUT_DRIVER: ReadonlySet<string> = new Set(['beckhoff', 'opcua']);
const WITHOUT_CONNECTOR: ReadonlySet<string> = new Set(['MongoNode', 'RedisNode', 'SqlNode']);

const OUTPUT_IDS = {
  type: 'array',
  maxItems: 100,
  items: { type: 'array', maxItems: 100, items: { type: 'string' } },
};
const PARTS = { config: { type: 'object' }, meta: { type: 'object' }, outputIds: OUTPUT_IDS };
const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const MAX_NODES = 10_000;

const validate = new Ajv().compile({
  type: 'object',
  required: ['flowId', 'flowName', 'flowVersion', 'etag', 'flowClass'],
  properties: {
    flowId: { type: 'string', pattern: ID_PATTERN },
    flowName: NAME,
    flowVersion: NAME,
    etag: NAME,
    flowClass: { enum: ['customNode', 'edge'] },
    enabled: { type: 'boolean' },
    isInstance: { type: 'boolean' },
    minimumAgentVersion: { type: ['string', 'null'], pattern: '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$' },
    triggers: {
      type: 'array',
      maxItems: MAX_NODES,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: NAME, key: { type: 'string', maxLength: 1024 }, ...PARTS },
      },
    },
    nodes: {
      type: 'array',
      maxItems: MAX_NODES,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: NAME, id: { type: 'string' }, ...PARTS },
      },
    },
    globals: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['key', 'json'],
        properties: { key: { type: 'string' }, json: { type: 'string' } },
      },
    },
    customNodeConfig: {
      type: ['object', 'null'],
      required: ['outputCount', 'resultMode', 'fields'],
      properties: {
        outputCount: { enum: [1, 2] },
        fields: { type: 'array', maxItems: 100, items: { type: 'object' } },
      },
    },
  },
});

/**
 * Checks that a value is a workflow that this agent can run, and returns it. Throws a `FlowRefused` that names the fault.
 *
 * @param topicPrefix first level of the topics of the platform, which workflows cannot subscribe to
 */
export function readFlow(value: unknown, topicPrefix: string): AgentFlow {
  if (!validate(value)) throw new FlowRefused(describeFaults('flow', validate.errors!));
  const flow = normalizeGraph(value as AgentFlow);
  const { minimumAgentVersion, flowClass } = flow;
  if (minimumAgentVersion && !isSupportedVersion(minimumAgentVersion))
    throw new FlowRefused(
      `The workflow requires agent ${minimumAgentVersion} or later; this agent has the version ${AGENT_VERSION}`,
    );
  try {
    checkGraph(flowClass, { ...flow, minimumAgentVersion: AGENT_VERSION }, { topicPrefix });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new FlowRefused(error.message);
  }
  assertDrivers(flow);
  return flow;
}

/** Returns whether the engine can run a node type on an edge device. */
function isRunnable(type: string): boolean {
  const kind = NODE_KINDS.get(type);
  const isOfEdge = kind?.classes.includes('edge') || type === customNodeCapNode.type;
  return kind?.run !== undefined && isOfEdge && !WITHOUT_CONNECTOR.has(type);
}

function assertDrivers({ nodes = [], triggers = [] }: AgentFlow): void {
  const node = nodes.find(({ type }) => !isRunnable(type));
  if (node)
    throw new FlowRefused(
      `This agent cannot run ${node.type}${node.id === undefined ? '' : ` (node ${node.id})`}`,
    );
  const trigger = triggers.find(({ type }) => WITHOUT_DRIVER.has(type));
  if (trigger) throw new FlowRefused(`This agent has no driver for triggers of the type ${trigger.type}`);
}
