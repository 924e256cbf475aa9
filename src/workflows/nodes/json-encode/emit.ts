import type { JsonEncodeConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<JsonEncodeConfig> = {
  runtime: code`import { encode } from '../../nodes/json-encode/wasm';`,
  emit: ({ source, destination }, to) =>
    code`return encode(run, ${to.path(source)}, ${to.path(destination)});`,
};
