import type { LoopCapConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<LoopCapConfig> = {
  runtime: code`import { capLoop } from '../../nodes/loop-cap/wasm';`,
  emit: ({ shouldBreak, mapValuePath }, to) => code`
    return capLoop(run, ${shouldBreak ? code`true` : code`false`}, ${optionalPath(to, mapValuePath)});`,
};
