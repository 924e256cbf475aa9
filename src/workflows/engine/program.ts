import type { CustomNodeConfig, FlowClass, Json } from '../graph/graph.js';

/**
 * Version of a workflow, prepared for any number of runs by `compileProgram`. `Globals` are shared by all runs and must
 * not be changed.
 */
export interface Program {
  readonly applicationId: string;
  readonly applicationName: string;
  readonly flowId: string;
  readonly flowName: string;
  /** `null` for the development version. */
  readonly flowVersionId: string | null;
  /** Name of the version; `develop` for the development version. */
  readonly flowVersion: string;
  readonly flowClass: FlowClass;
  readonly globals: Json;
  /** Custom node of the instance. It runs as the workflow that executes it, because it belongs to no application. */
  readonly isOfInstance?: boolean;
  readonly customNode?: CustomNodeConfig;
  readonly triggers: readonly ProgramTrigger[];
  readonly nodes: readonly ProgramNode[];
}

export interface ProgramTrigger {
  readonly type: string;
  readonly key?: string;
  /** ID of the trigger in the editor. */
  readonly uiId: string;
  /** First nodes of a run. */
  readonly targets: readonly ProgramNode[];
}

export interface ProgramNode {
  readonly id: string;
  readonly type: string;
  readonly label?: string;
  /** Position in `Program.nodes`. Outputs lead to later nodes, except those that close a cycle. */
  readonly order: number;
  /**
   * A `Step`. Prepared when the first path reaches the node. The parameter is `never`, because steps use ports, and
   * ports load programs.
   */
  readonly step: (path: never) => number | undefined | Promise<number | undefined>;
  /** Next nodes by output. */
  readonly targets: readonly (readonly ProgramNode[])[];
}

/** Returns the triggers of a program that start a run together. */
export function triggersOf(program: Program, type: string, key?: string): readonly ProgramTrigger[] {
  return program.triggers.filter((trigger) => trigger.type === type && trigger.key === key);
}
