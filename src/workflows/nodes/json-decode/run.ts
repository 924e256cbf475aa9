import type { NodeRun } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import * as setting from '../settings.js';

const settings = setting.group({
  source: setting.required(setting.path),
  destination: setting.required(setting.target),
  errorBehavior: setting.word('throw', 'payloadPath'),
  errorPath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ source, destination, errorBehavior, errorPath }) =>
    ({ payload }) => {
      try {
        destination(payload, decoded(source(payload.data)));
      } catch (error) {
        if (errorBehavior === 'throw' || !(error instanceof RunFault) || error.name !== INVALID) throw error;
        errorPath(payload, { name: error.name, message: error.message });
      }
      return undefined;
    },
};

const INVALID = 'InvalidJsonError';

function decoded(text: unknown): unknown {
  if (typeof text !== 'string') throw new RunFault(INVALID, 'source must be a text');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RunFault(INVALID, (error as Error).message);
  }
}
