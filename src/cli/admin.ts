import 'reflect-metadata';
import { CommanderError } from 'commander';
import { loadConfig } from '../config/config.js';
import { commands } from './commands.js';

try {
  await commands(loadConfig()).parseAsync();
} catch (error) {
  const isWritten = error instanceof CommanderError;
  if (!isWritten) console.error((error as Error).message);
  process.exitCode = isWritten ? error.exitCode : 1;
}
