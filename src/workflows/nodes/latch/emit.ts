import type { LatchConfig } from './config.js';
import { Code, code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<LatchConfig> = {
  runtime: code`import { latch } from '../../nodes/latch/wasm';`,
  emit: (config, to) => {
    const paths = [
      config.latchResultPath,
      config.resetResultPath,
      config.wasLatchedPath,
      config.isLatchedPath,
      config.branchPath,
    ].map((path) => optionalPath(to, path));
    const id = to.text(config.latchIdTemplate ?? '');
    const latches = truth(to, config.latchExpression);
    const resets = truth(to, config.resetExpression);
    return code`return latch(run, ${to.slot()}, ${id}, ${latches}, ${resets}, ${Code.list(paths)});`;
  },
};

/** Returns code for the truth of an expression; an absent one is false. */
function truth(to: Emitter, expression: string | undefined): Code {
  return expression ? code`${to.expression(expression)}.truthy` : code`false`;
}
