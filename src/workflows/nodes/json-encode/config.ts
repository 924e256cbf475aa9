import { embeddedNode, PATH } from '../embedded-node.js';
import { checkPath, checkTarget } from '../texts.js';

/** Serializes the value at `source` as JSON. */
export interface JsonEncodeConfig {
  readonly source: string;
  readonly destination: string;
}

export const JSON_ENCODE = embeddedNode<JsonEncodeConfig>(
  'JsonEncodeNode',
  { required: ['source', 'destination'], properties: { source: PATH, destination: PATH } },
  ({ source, destination }) => {
    checkPath('source', source);
    checkTarget('destination', destination);
  },
);
