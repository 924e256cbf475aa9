import { valueAt } from '../language/evaluate.js';
import { hasMembers } from '../language/members.js';
import { SyntaxFault } from '../language/syntax-fault.js';
import { ConfigFault } from '../nodes/config-fault.js';
import { MAX_ERRORED_PAYLOAD_BYTES } from './limits.js';
import type { Path } from './path.js';
import type { ProgramNode } from './program.js';
import { RunFault } from './run-error.js';
import { fitsJson } from './size.js';

/** Stands for the payload of a failure that is too large. */
export const OMITTED = 'Payload data omitted due to size';

/** Error of a run with the node that it is attributed to. */
export class NodeFailure extends Error {
  readonly node: ProgramNode;
  /** Payload when the error occurred. */
  readonly payload: unknown;

  /** Errors inside a custom node are attributed to the node of the run that called it. */
  constructor(
    path: Path,
    override readonly cause: unknown,
  ) {
    super('A node has failed');
    let { node, payload } = path;
    for (let { scope } = path; scope.owner; scope = scope.owner.scope)
      if (scope.isCall) [node, payload] = [scope.ownerNode!, scope.owner.payload];
    this.node = node;
    this.payload = payload.data;
  }
}

/** Error as the author of the workflow sees it. */
export interface ShownError {
  readonly name: string;
  readonly message: string;
  /** Lines of the author's own code, for scripts only. */
  readonly stack?: readonly string[];
}

/** `data` of the triggers of errors that a failed run fires. */
export interface RunFailure {
  readonly errorInfo: { readonly error: ShownError; readonly nodeId: string; readonly nodeType: string };
  /** Payload when the error occurred, or a text if it is too large. Shared with nothing that changes. */
  readonly erroredPayload: unknown;
  /** Caller who waits for the reply of the failed run. */
  readonly replyId?: string;
}

/** Entry in the list of errors of a workflow. */
export interface PathError {
  readonly time: string;
  readonly nodeId: string;
  readonly nodeLabel?: string;
  readonly error: { readonly name: string; readonly message: string };
}

/** Returns an error as its author sees it. Details of errors of the platform stay hidden. */
export function shownError(error: unknown): ShownError {
  if (error instanceof RunFault) {
    const { name, message, trace } = error;
    return { name, message, ...(trace ? { stack: trace } : {}) };
  }
  // Settings that are prepared when a run reaches them.
  if (error instanceof ConfigFault || error instanceof SyntaxFault)
    return { name: 'ValidationError', message: error.message };
  // Texts that are no JSON, and values that are too long or too deep.
  if (error instanceof SyntaxError || error instanceof RangeError)
    return { name: error.name, message: error.message };
  return { name: 'InternalError', message: 'The node failed because of an error of the platform' };
}

/**
 * Returns the data of the triggers of errors. It also has the data of the failed run, because triggers in the same workflow
 * reply and confirm by the same names as the other nodes.
 */
export function runFailure({ node, payload, cause }: NodeFailure, replyId: unknown): RunFailure {
  const isKept = fitsJson(payload, MAX_ERRORED_PAYLOAD_BYTES);
  const data = valueAt(['data'], payload);
  return {
    ...(isKept && hasMembers(data) ? data : {}),
    errorInfo: { error: shownError(cause), nodeId: node.id, nodeType: node.type },
    erroredPayload: isKept ? payload : OMITTED,
    ...(typeof replyId === 'string' ? { replyId } : {}),
  };
}

export function pathError({ node, cause }: NodeFailure, time: Date): PathError {
  const { name, message } = shownError(cause);
  return {
    time: time.toISOString(),
    nodeId: node.id,
    ...(node.label === undefined ? {} : { nodeLabel: node.label }),
    error: { name, message },
  };
}
