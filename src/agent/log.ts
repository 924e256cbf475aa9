import { pino, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** What parts of the agent log with. */
export type Log = Pick<Logger, 'debug' | 'error' | 'info' | 'warn'>;

/** The log of the agent as a whole. */
export type AgentLog = Logger;

/** Levels of the settings; `verbose` is the name that `debug` has in published configuration files. */
const LEVELS: Readonly<Record<string, string>> = { verbose: 'debug' };

/** Creates the log: lines for people in a terminal, and JSON elsewhere. `out` is `console` or the path of a file. */
export function createLog(out: string, level: string): Logger {
  const options = { base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
  const destination = pino.destination({ dest: out === 'console' ? 1 : out, sync: true, mkdir: true });
  const prettify = prettyFactory({ colorize: process.stdout.isTTY, translateTime: 'SYS:standard' });
  const readable = { write: (line: string) => destination.write(prettify(line)) };
  const log = pino(options, out === 'console' && process.stdout.isTTY ? readable : destination);
  setLevel(log, level);
  return log;
}

export function setLevel(log: Logger, level: string): void {
  log.level = LEVELS[level] ?? level;
}
