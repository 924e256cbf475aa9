import { LOOP_CAP } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind, optionalPath } from '../node-kind.js';

export const loopCapNode = nodeKind(LOOP_CAP, {
  runtime: code`import { capLoop } from '../../nodes/loop-cap/wasm';`,
  emit: ({ shouldBreak, mapValuePath }, to) => code`
    return capLoop(run, ${shouldBreak ? code`true` : code`false`}, ${optionalPath(to, mapValuePath)});`,
});
