import { THROW_ERROR } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const throwErrorNode = nodeKind(THROW_ERROR, {
  emit: ({ messageTemplate }, to) => code`return run.fail('Error', ${to.text(messageTemplate)});`,
});
