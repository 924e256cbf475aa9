import { compileProgram } from '../../workflows/engine/compile-program.js';
import type { Program, ProgramTrigger } from '../../workflows/engine/program.js';
import type { FlowTrigger } from '../../workflows/graph/graph.js';
import type { Store } from '../store/store.js';
import type { SyncedFacts } from '../synced-facts.js';
import type { AgentFlow } from './agent-flow.js';

/** Trigger of a workflow that the agent runs. */
export interface ActiveTrigger {
  readonly declaration: FlowTrigger;
  readonly compiled: ProgramTrigger;
}

/** Workflow that the agent runs, compiled. */
export interface ActiveFlow {
  readonly flow: AgentFlow;
  readonly program: Program;
  /** Absent triggers of disabled workflows start no runs. */
  readonly triggers: readonly ActiveTrigger[];
}

/** Compiled custom nodes by ID. A custom node has one version on a gateway: the one that was released with the workflows. */
export type CustomNodes = ReadonlyMap<string, Program>;

/** Told about each workflow that begins or ceases to run; `active` is absent for one that ceases. */
export type FlowListener = (flowId: string, active: ActiveFlow | undefined) => void;

/** The workflows that the agent runs: released ones, which it stores, and those of files. */
export class Flows {
  private readonly active = new Map<string, ActiveFlow>();
  private readonly listeners: FlowListener[] = [];
  /** Built again after each change, because runs keep those with which they began. */
  private nodes?: CustomNodes;

  constructor(
    private readonly store: Store,
    private readonly facts: SyncedFacts,
  ) {}

  onChange(listener: FlowListener): void {
    this.listeners.push(listener);
  }

  /** Returns the stored workflows, which must be checked before they are started. */
  stored(): readonly unknown[] {
    return this.store
      .all('SELECT json FROM flows ORDER BY flow_id')
      .map(({ json }) => JSON.parse(String(json)) as unknown);
  }

  /** Stores a released workflow and starts it instead of its former version. */
  install(flow: AgentFlow): void {
    this.store.run('INSERT OR REPLACE INTO flows VALUES (?, ?)', [flow.flowId, JSON.stringify(flow)]);
    this.start(flow);
  }

  /** Starts a workflow that is stored, or was read from a file. */
  start(flow: AgentFlow): void {
    const active = activeFlow(flow, this.facts);
    this.active.set(flow.flowId, active);
    this.nodes = undefined;
    this.tell(flow.flowId, active);
  }

  /** Stops and removes a released workflow. Those of files stay. */
  remove(flowId: string): void {
    this.store.run('DELETE FROM flows WHERE flow_id = ?', [flowId]);
    const found = this.active.get(flowId);
    if (!found || found.flow.fileName !== undefined) return;
    this.active.delete(flowId);
    this.nodes = undefined;
    this.tell(flowId, undefined);
  }

  /** Stops and removes all released workflows. */
  clear(): void {
    this.store.run('DELETE FROM flows');
    for (const flowId of [...this.active.keys()]) this.remove(flowId);
  }

  /** Compiles all workflows again, after the application has changed. */
  refresh(): void {
    for (const [flowId, { flow }] of this.active) this.active.set(flowId, activeFlow(flow, this.facts));
    this.nodes = undefined;
  }

  get(flowId: string): ActiveFlow | undefined {
    return this.active.get(flowId);
  }

  get all(): readonly ActiveFlow[] {
    return [...this.active.values()];
  }

  /** The custom nodes as they are now; later changes do not concern them. */
  get customNodes(): CustomNodes {
    return (this.nodes ??= new Map(
      this.all.flatMap(({ flow, program }) =>
        flow.flowClass === 'customNode' ? [[flow.flowId, program] as const] : [],
      ),
    ));
  }

  /** Returns the triggers of a type, with their workflows. */
  triggersOf(type: string): readonly (readonly [ActiveFlow, ActiveTrigger])[] {
    return this.all.flatMap((active) =>
      active.triggers
        .filter(({ declaration }) => declaration.type === type)
        .map((trigger) => [active, trigger] as const),
    );
  }

  private tell(flowId: string, active: ActiveFlow | undefined): void {
    for (const listener of this.listeners) listener(flowId, active);
  }
}

function activeFlow(flow: AgentFlow, { application }: SyncedFacts): ActiveFlow {
  const { flowId, flowName, flowVersion, flowClass, etag, enabled = true, triggers = [] } = flow;
  const program = compileProgram({
    applicationId: application.id,
    applicationName: application.name,
    flowId,
    flowName,
    flowVersion,
    flowClass,
    // Functions of the same version share an instance of the sandbox.
    flowVersionId: etag,
    isOfInstance: flow.isInstance,
    graph: flow,
    outerGlobals: [application.globals],
  });
  return {
    flow,
    program,
    triggers: enabled
      ? triggers.map((declaration, i) => ({ declaration, compiled: program.triggers[i]! }))
      : [],
  };
}
