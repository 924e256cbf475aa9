import { THROW_ERROR } from '../../../flows/graph/embedded-nodes/throw-error.js';
import { code } from '../code.js';
import { nodeKind } from './node-kind.js';

export const throwErrorNode = nodeKind(THROW_ERROR, {
  emit: ({ messageTemplate }, to) => code`return run.fail('Error', ${to.text(messageTemplate)});`,
});
