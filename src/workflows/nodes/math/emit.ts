import { MATH } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const mathNode = nodeKind(MATH, {
  runtime: code`import { reckon } from '../../nodes/math/wasm';`,
  emit: ({ statements = [] }, to) => code`
    ${statements.map(
      ({ expression, resultPath }) =>
        code`if (reckon(run, ${to.expression(expression)}, ${to.path(resultPath)}) == FAILED) return FAILED;`,
    )}
    return 0;`,
});
