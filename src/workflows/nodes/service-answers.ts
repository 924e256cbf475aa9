import type { Payload } from '../engine/payload.js';
import { RunFault } from '../engine/run-error.js';
import * as setting from './settings.js';

/** Time in milliseconds that another service has to respond. */
export const SERVICE_TIMEOUT_MS = 30_000;

/** Paths for the answer of a service and for its error. */
export const answerPaths = setting.group({
  resultPath: setting.target,
  errorBehavior: setting.word('throw', 'payloadPath'),
  errorPath: setting.target,
});

/**
 * Writes what a service answers. Writes its error as `{type, message}` if the node has a path for errors, and else
 * rethrows it. Errors of the configuration are always rethrown.
 */
export async function writeAnswer(
  { resultPath, errorBehavior, errorPath }: setting.Read<typeof answerPaths>,
  payload: Payload,
  answer: Promise<unknown>,
): Promise<undefined> {
  try {
    resultPath(payload, await answer);
  } catch (error) {
    const isAnswer = error instanceof RunFault && error.name !== 'ValidationError';
    if (errorBehavior === 'throw' || !isAnswer) throw error;
    errorPath(payload, { type: error.name, message: error.message });
  }
}
