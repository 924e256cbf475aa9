import { JSON_DECODE } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind, optionalPath } from '../node-kind.js';

export const jsonDecodeNode = nodeKind(JSON_DECODE, {
  runtime: code`import { decode } from '../../nodes/json-decode/wasm';`,
  emit: ({ source, destination, errorBehavior, errorPath }, to) => {
    const told = optionalPath(to, errorBehavior === 'payloadPath' ? errorPath : undefined);
    return code`return decode(run, ${to.path(source)}, ${to.path(destination)}, ${told});`;
  },
});
