import { LOOP } from './config.js';
import { Code, code } from '../../embedded/code.js';
import { mayShare } from '../../embedded/loop-rounds.js';
import { nodeKind, optionalPath } from '../node-kind.js';

export const loopNode = nodeKind(LOOP, {
  runtime: code`import { loop, skipLoop } from '../../nodes/loop/wasm';`,
  emit: ({ loopSourcePath, currentItemPath, mapResultPath, mapValuePath }, to, node) => {
    const results = optionalPath(to, mapResultPath);
    // A loop without nodes has no iterations.
    if (!node.outputIds?.[1]?.length) return code`return skipLoop(run, ${results});`;
    const paths = [loopSourcePath, currentItemPath, mapValuePath || currentItemPath].map((path) =>
      to.path(path),
    );
    const shares = mayShare(node, to.nodes) ? code`true` : code`false`;
    return code`return loop(run, ${Code.list(paths)}, ${results}, ${shares});`;
  },
});
