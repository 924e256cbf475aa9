import { register } from 'node:module';

/** From here on this process imports TypeScript, and its stacks name the lines that were written. */
process.setSourceMapsEnabled(true);
register('./typescript-hooks.js', import.meta.url);
// So do those that it forks.
if (!process.execArgv.includes(import.meta.url)) process.execArgv.push('--import', import.meta.url);
