import { LOOP } from '../../../flows/graph/embedded-nodes/loop.js';
import { Code, code } from '../code.js';
import { nodeKind, optionalPath } from './node-kind.js';

export const loopNode = nodeKind(LOOP, {
  runtime: code`import { loop, skipLoop } from './nodes/loop';`,
  emit: ({ loopSourcePath, currentItemPath, mapResultPath, mapValuePath }, to, { outputIds = [] }) => {
    const results = optionalPath(to, mapResultPath);
    // A loop around nothing has no rounds.
    if (!outputIds[1]?.length) return code`return skipLoop(run, ${results});`;
    const paths = [loopSourcePath, currentItemPath, mapValuePath || currentItemPath].map((path) =>
      to.path(path),
    );
    return code`return loop(run, ${Code.list(paths)}, ${results});`;
  },
});
