import { LIMITS } from './script-engine.js';

const PREFIX = '(function (payload) {';
const SUFFIX = '\n})';
const MIB = 1024 * 1024;

/** Name of the file of a script in stacks. */
export const SCRIPT_FILE = 'script';

/** Returns the source of the function that a script is the body of. */
export const functionSource = (script: string): string => `${PREFIX}${script}${SUFFIX}`;

/**
 * Returns whether the text of a function is that of a script. If not, braces of the script have ended the function and
 * begun another one, and the code between them has run.
 */
export const isFunctionOf = (script: string, text: string): boolean =>
  text === functionSource(script).slice(1, -1);

/** Lines of the stack in the script: its own functions, with line and column. */
const STACK_LINE = new RegExp(`^\\s*at (?:(.*) )?\\(?${SCRIPT_FILE}:(\\d+):(\\d+)\\)?$`);

/** Returns the lines of a stack that are in the script, with columns of the author's text. */
export function linesOf(stack: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, name, row, column] = STACK_LINE.exec(line) ?? [];
      if (row === undefined) return [];
      const place = `${row}:${row === '1' ? Math.max(1, Number(column) - PREFIX.length) : column}`;
      return [`at ${name && name !== '<anonymous>' ? `${name} ` : ''}(${place})`];
    })
    .slice(0, LIMITS.stack);
}

/** Errors of scripts that exceed their limits. */
export const timeoutError = (timeMs: number) => ({
  name: 'TimeoutError',
  message: `The script took longer than ${timeMs} ms`,
  stack: [],
});
export const MEMORY_ERROR = {
  name: 'MemoryError',
  message: `The script used more than ${LIMITS.memory / MIB} MiB of memory`,
  stack: [],
};
export const UNBALANCED_ERROR = {
  name: 'SyntaxError',
  message: 'unexpected end of the function',
  stack: [],
};
