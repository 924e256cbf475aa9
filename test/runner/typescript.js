import { register } from 'node:module';

/** Enables this process to import TypeScript, with source lines in stack traces. */
process.setSourceMapsEnabled(true);
register('./typescript-hooks.js', import.meta.url);
// Forked processes inherit the hooks.
if (!process.execArgv.includes(import.meta.url)) process.execArgv.push('--import', import.meta.url);
