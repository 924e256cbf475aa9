import type { LoopConfig } from './config.js';
import { Code, code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { canSharePayload } from '../../embedded/loop-rounds.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<LoopConfig> = {
  runtime: code`import { loop, skipLoop } from '../../nodes/loop/wasm';`,
  emit: ({ loopSourcePath, currentItemPath, mapResultPath, mapValuePath }, to, node) => {
    const results = optionalPath(to, mapResultPath);
    // A loop without nodes has no iterations.
    if (!node.outputIds?.[1]?.length) return code`return skipLoop(run, ${results});`;
    const paths = [loopSourcePath, currentItemPath, mapValuePath || currentItemPath].map((path) =>
      to.path(path),
    );
    const shares = canSharePayload(node, to.nodes) ? code`true` : code`false`;
    return code`return loop(run, ${Code.list(paths)}, ${results}, ${shares});`;
  },
};
