import { END, type NodeRun } from '../../engine/node-run.js';

export const run: NodeRun = { prepare: () => () => END };
