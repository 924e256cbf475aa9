/** Environments that workflows run in. Fixed at creation. */
export const FLOW_CLASSES = ['cloud', 'customNode', 'edge', 'embedded', 'experience'] as const;
export type FlowClass = (typeof FLOW_CLASSES)[number];

/** Classes of workflows that run on devices, and never on the platform. */
export const ON_DEVICES: ReadonlySet<FlowClass> = new Set(['edge', 'embedded']);

export type Json = Readonly<Record<string, unknown>>;

/** Trigger that starts a run of a workflow. */
export interface FlowTrigger {
  readonly type: string;
  /** Resource or source that the trigger listens to, such as the ID of a webhook or a topic. Depends on the type. */
  readonly key?: string;
  readonly config?: Json;
  readonly meta?: Json;
  readonly outputIds?: readonly (readonly string[])[];
}

/** Step of a workflow. */
export interface FlowNode {
  readonly id?: string;
  readonly type: string;
  readonly config?: Json;
  readonly meta?: Json;
  readonly outputIds?: readonly (readonly string[])[];
}

export interface FlowGlobal {
  readonly key: string;
  readonly json: string;
}

export interface CustomNodeConfig {
  readonly outputCount: number;
  readonly resultMode: string;
  readonly resultDescription?: string;
  readonly fields: readonly (Json & { readonly id?: string })[];
}

/** Executable parts of a workflow or version. */
export interface FlowGraph {
  readonly triggers?: readonly FlowTrigger[];
  readonly nodes?: readonly FlowNode[];
  readonly globals?: readonly FlowGlobal[];
  readonly customNodeConfig?: CustomNodeConfig | null;
  readonly minimumAgentVersion?: string | null;
}

/** Maximum nesting depth of a node's `config`, and of functions that traverse it. */
export const MAX_CONFIG_DEPTH = 32;

const ID = /^[a-f\d]{24}$/i;

/** Returns whether a value is a resource ID. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** Returns the ID of the loop that contains a trigger or node, or `undefined`. */
export function groupOf({ meta }: FlowTrigger | FlowNode): string | undefined {
  return typeof meta?.groupId === 'string' && meta.groupId !== '' ? meta.groupId : undefined;
}
