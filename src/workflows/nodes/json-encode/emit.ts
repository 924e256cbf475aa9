import { JSON_ENCODE } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const jsonEncodeNode = nodeKind(JSON_ENCODE, {
  runtime: code`import { encode } from '../../nodes/json-encode/wasm';`,
  emit: ({ source, destination }, to) =>
    code`return encode(run, ${to.path(source)}, ${to.path(destination)});`,
});
