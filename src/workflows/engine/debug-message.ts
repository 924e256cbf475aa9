import type { DebugOutput } from './node-run.js';
import type { Path, Trail } from './path.js';
import type { ProgramTrigger } from './program.js';

/** Latest nodes that a debug message lists. */
const MAX_PREVIOUS_NODES = 1_000;

/** Message to those who watch a workflow. `payload` is not limited in size. */
export interface DebugMessage extends DebugOutput {
  readonly flowId: string;
  readonly flowVersion: string;
  readonly sourceNode: string;
  /** Nodes that the path has passed, first to last. */
  readonly prevNodes: readonly string[];
  readonly triggerUiIds: readonly string[];
  readonly time: Date;
  /** Present if the run has failed. */
  readonly error?: { readonly name: string; readonly message: string };
}

/** Returns the message of a path at its node. */
export function debugMessage(
  { scope, node, trail }: Path,
  triggers: readonly ProgramTrigger[],
  output: DebugOutput,
): DebugMessage {
  const { flowId, flowVersion } = scope.program;
  return {
    flowId,
    flowVersion,
    ...output,
    sourceNode: node.id,
    prevNodes: nodesOf(trail),
    triggerUiIds: triggers.map(({ uiId }) => uiId),
    time: new Date(),
  };
}

function nodesOf(trail: Trail | undefined): string[] {
  const ids: string[] = [];
  for (let at = trail; at && ids.length < MAX_PREVIOUS_NODES; at = at.before) ids.push(at.node.id);
  return ids.reverse();
}
