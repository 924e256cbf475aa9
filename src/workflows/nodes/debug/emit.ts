import { DEBUG } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind, optionalPath } from '../node-kind.js';

export const debugNode = nodeKind(DEBUG, {
  runtime: code`import { tell } from '../../nodes/debug/wasm';`,
  emit: ({ message = '', property }, to) =>
    code`return tell(run, ${to.text(message)}, ${optionalPath(to, property)});`,
});
