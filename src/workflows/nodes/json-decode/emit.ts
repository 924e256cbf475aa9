import type { JsonDecodeConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<JsonDecodeConfig> = {
  runtime: code`import { decode } from '../../nodes/json-decode/wasm';`,
  emit: ({ source, destination, errorBehavior, errorPath }, to) => {
    const told = optionalPath(to, errorBehavior === 'payloadPath' ? errorPath : undefined);
    return code`return decode(run, ${to.path(source)}, ${to.path(destination)}, ${told});`;
  },
};
