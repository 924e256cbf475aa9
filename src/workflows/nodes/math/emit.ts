import type { MathConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<MathConfig> = {
  runtime: code`import { reckon } from '../../nodes/math/wasm';`,
  emit: ({ statements = [] }, to) => code`
    ${statements.map(
      ({ expression, resultPath }) =>
        code`if (reckon(run, ${to.expression(expression)}, ${to.path(resultPath)}) == FAILED) return FAILED;`,
    )}
    return 0;`,
};
