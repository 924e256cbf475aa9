import type { NodeRun } from '../../engine/node-run.js';
import { parsePath } from '../../language/paths.js';
import type { RawFunctionConfig } from './config.js';

export const run: NodeRun<RawFunctionConfig> = {
  prepare({ script, scopePath = '' }) {
    const scope = scopePath.trim() === '' ? [] : parsePath(scopePath);
    return async (path) => {
      const { payload, run } = path;
      const { applicationId, flowId, flowVersionId, signal } = run;
      const result = await run.ports.functions.call(
        { applicationId, key: `${flowId}/${flowVersionId}`, script, payload: payload.get(scope), signal },
        ({ level, text }) => path.debug(() => ({ level, message: text, payload: payload.data })),
      );
      if (scope.length === 0) payload.replace(result);
      else payload.set(scope, result);
      return undefined;
    };
  },
};
