import { nodeConfig } from '../node-config.js';

/** A note for readers of the workflow; has no effect. */
export const config = nodeConfig({});
