import { MAX_JSON_DEPTH } from '../language/json-depth.js';
import type { FlowClass } from './graph.js';

/** What workflows of a class can do, besides containing the triggers and nodes whose `classes` name it. */
export interface ClassRules {
  /** Name in error messages. */
  readonly name: string;
  /**
   * Whether nodes are compiled for devices: their types must be declared, and their configurations complete and in the
   * dialect of devices. Otherwise the engine runs them; undeclared types and incomplete configurations only fail the run
   * that reaches them.
   */
  readonly compilesNodes: boolean;
  /** Whether a path can lead back to one of its nodes. */
  readonly allowsCycles: boolean;
  readonly allowsParallelLoops: boolean;
  /** Whether timers can follow a calendar. If not, they need an interval. */
  readonly allowsCron: boolean;
  /** Whether nodes can publish to topics of the platform. */
  readonly allowsPlatformTopics: boolean;
  readonly requiresAgentVersion: boolean;
  /** Maximum nesting depth of globals. */
  readonly deepestGlobal?: number;
  /** Types of the trigger that exists exactly once, and of the node that exists at least once. */
  readonly interface?: { readonly trigger: string; readonly node: string };
}

const ON_PLATFORM: Omit<ClassRules, 'name'> = {
  compilesNodes: false,
  allowsCycles: true,
  allowsParallelLoops: true,
  allowsCron: true,
  allowsPlatformTopics: true,
  requiresAgentVersion: false,
};

/** Rules of all classes of workflows. */
export const CLASS_RULES: Readonly<Record<FlowClass, ClassRules>> = {
  cloud: { ...ON_PLATFORM, name: 'Cloud' },
  customNode: {
    ...ON_PLATFORM,
    name: 'Custom Node',
    interface: { trigger: 'customNodeStart', node: 'CustomNodeCapNode' },
  },
  edge: { ...ON_PLATFORM, name: 'Edge', requiresAgentVersion: true },
  embedded: {
    name: 'Embedded',
    compilesNodes: true,
    allowsCycles: false,
    allowsParallelLoops: false,
    allowsCron: false,
    allowsPlatformTopics: false,
    requiresAgentVersion: false,
    deepestGlobal: MAX_JSON_DEPTH,
  },
  experience: { ...ON_PLATFORM, name: 'Experience' },
};

/** Workflow that a trigger or node is checked for. */
export interface CheckContext {
  readonly flowClass: FlowClass;
  /** Rules of the class. */
  readonly rules: ClassRules;
  /** ID of an existing workflow, to detect custom nodes that execute themselves. */
  readonly ownId?: string;
  /** First level of the platform's topics. Omitted for custom nodes, which use no topics. */
  readonly topicPrefix?: string;
}

/** Returns the error of a trigger or node that the class does not allow. */
export function invalidError(type: string, { name }: ClassRules): string {
  return `${type} is not valid for ${name} workflows.`;
}

/** Returns whether a topic is one of the platform's. */
export function isPlatformTopic(topic: unknown, { topicPrefix }: CheckContext): boolean {
  return topicPrefix !== undefined && typeof topic === 'string' && topic.startsWith(`${topicPrefix}/`);
}
