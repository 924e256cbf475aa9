import { nodeConfig, PATH } from '../node-config.js';
import { checkPath, checkTarget } from '../texts.js';

/** Serializes the value at `source` as JSON. */
export interface JsonEncodeConfig {
  readonly source: string;
  readonly destination: string;
}

export const config = nodeConfig<JsonEncodeConfig>(
  { required: ['source', 'destination'], properties: { source: PATH, destination: PATH } },
  ({ source, destination }) => {
    checkPath('source', source);
    checkTarget('destination', destination);
  },
);
