import type { RunPath, Step } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { RunFault } from '../../engine/run-error.js';
import type { FlowClass } from '../../graph/graph.js';
import { actorOf } from '../run-values.js';
import type { Target } from '../settings.js';

/** Classes of workflows that read and change resources of the application. */
export const RESOURCE_CLASSES: readonly FlowClass[] = ['cloud', 'customNode', 'experience'];

/** Calls an operation of the API on the application of the run. */
export const callApi = (
  path: RunPath,
  operationId: string,
  parameters: Readonly<Record<string, unknown>> = {},
  body?: unknown,
): Promise<ApiResult> => path.run.ports.api.call(actorOf(path), operationId, parameters, body);

/** Returns what a node writes to the payload: the body of a success, or an object with the error. */
export function resultOf(answer: ApiResult): unknown {
  if ('result' in answer) return answer.result;
  const { type, message } = answer.error;
  return { error: { type, message } };
}

/** Returns the preparation of a node that writes the answer of the API to its `resultPath`. */
export const writesAnswer =
  <C extends { readonly resultPath: Target }>(ask: (config: C, path: RunPath) => Promise<ApiResult>) =>
  (config: C): Step =>
  async (path) => {
    config.resultPath(path.payload, resultOf(await ask(config, path)));
    return undefined;
  };

/** Returns the body of a success. Throws a `RunFault` with the error otherwise. */
export function resultOrFault(answer: ApiResult): unknown {
  if ('result' in answer) return answer.result;
  const { type, message } = answer.error;
  throw new RunFault(type === 'Validation' ? 'ValidationError' : type, message);
}

/** Returns an answer whose result is changed; errors stay. */
export const mapResult = (answer: ApiResult, change: (result: never) => unknown): ApiResult =>
  'result' in answer ? { result: change(answer.result as never) } : answer;

/** Returns an answer with `null` instead of the error that the resource does not exist. */
export const nullIfMissing = (answer: ApiResult): ApiResult =>
  'error' in answer && answer.error.statusCode === 404 ? { result: null } : answer;

/** The answer that a resource does not exist. */
export const notFound = (title: string): ApiResult => ({
  error: { type: 'NotFound', message: `${title} was not found`, statusCode: 404 },
});
