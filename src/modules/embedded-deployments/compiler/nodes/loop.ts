import { LOOP } from '../../../flows/graph/embedded-nodes/loop.js';
import { code } from '../code.js';
import { nodeKind, optionalPath } from './node-kind.js';

export const loopNode = nodeKind(LOOP, {
  runtime: code`import { loop } from './nodes/loop';`,
  emit: ({ loopSourcePath, currentItemPath, mapResultPath, mapValuePath }, to) => code`
    return loop(
      run,
      ${to.path(loopSourcePath)},
      ${to.path(currentItemPath)},
      ${optionalPath(to, mapResultPath)},
      ${to.path(mapValuePath || currentItemPath)}
    );`,
});
