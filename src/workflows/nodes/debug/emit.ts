import type { DebugConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<DebugConfig> = {
  runtime: code`import { tell } from '../../nodes/debug/wasm';`,
  emit: ({ message = '', property }, to) =>
    code`return tell(run, ${to.text(message)}, ${optionalPath(to, property)});`,
};
