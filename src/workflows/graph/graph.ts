/** What a workflow runs on, fixed when it is made. */
export const FLOW_CLASSES = ['cloud', 'customNode', 'edge', 'embedded', 'experience'] as const;
export type FlowClass = (typeof FLOW_CLASSES)[number];

export type Json = Readonly<Record<string, unknown>>;

/** What starts a run of a workflow. */
export interface FlowTrigger {
  readonly type: string;
  /** What it listens to, such as a webhook's id or a topic; what that is differs with the type. */
  readonly key?: string;
  readonly config?: Json;
  readonly meta?: Json;
  readonly outputIds?: readonly (readonly string[])[];
}

/** One step of a workflow. */
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

/** The parts of a workflow, or of a version of one, that its execution is made of. */
export interface FlowGraph {
  readonly triggers?: readonly FlowTrigger[];
  readonly nodes?: readonly FlowNode[];
  readonly globals?: readonly FlowGlobal[];
  readonly customNodeConfig?: CustomNodeConfig | null;
  readonly minimumAgentVersion?: string | null;
}

/** The deepest that a node's `config` may nest; functions that walk one go no deeper. */
export const DEEPEST_CONFIG = 32;

const ID = /^[a-f\d]{24}$/i;

/** Whether a value is the id of a resource. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** The loop whose body a trigger or node stands in, by the id of the loop's node. */
export function groupOf({ meta }: FlowTrigger | FlowNode): string | undefined {
  return typeof meta?.groupId === 'string' && meta.groupId !== '' ? meta.groupId : undefined;
}
