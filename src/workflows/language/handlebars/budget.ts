import { RunFault } from '../../engine/run-error.js';

/** Maximum number of steps of one rendering: a reference, a call of a helper, an item of a printed list, 32 characters. */
const MAX_STEPS = 1_000_000;
/** Maximum number of characters that one rendering writes, and that a helper returns. */
export const MAX_OUTPUT = 1_048_576;

/**
 * Remaining budget of the current rendering. One set of counters serves the process, because a rendering never waits.
 * Nothing is counted outside of `bounded`.
 */
let steps = Infinity;
let output = Infinity;
let depth = 0;

/** Renders something within the limits. A rendering within another one shares its budget. */
export function bounded<I, T>(render: (input: I) => T, input: I, maxOutput = MAX_OUTPUT): T {
  if (steps !== Infinity) return render(input);
  steps = MAX_STEPS;
  output = maxOutput;
  depth = 0;
  try {
    return render(input);
  } finally {
    steps = Infinity;
    output = Infinity;
  }
}

/** Renders a template that another one contains or refers to, at most `max` levels deep. */
export function nested<T>(render: () => T, max: number): T {
  if (depth >= max) throw templateFault(`Templates render each other more than ${max} levels deep`);
  depth++;
  try {
    return render();
  } finally {
    depth--;
  }
}

/** Counts steps. */
export function spend(count: number): void {
  if ((steps -= count) < 0) throw templateFault(`The template takes more than ${MAX_STEPS} steps`);
}

/** Counts a text that a helper reads or returns. */
export function spendText(text: string): void {
  if (text.length > MAX_OUTPUT) throw templateFault(`A helper returned more than ${MAX_OUTPUT} characters`);
  spend(text.length >> 5);
}

/** Counts a text that is written, and returns it. */
export function written(text: string): string {
  spendOutput(text.length);
  return text;
}

/** Counts characters that are written. */
export function spendOutput(characters: number): void {
  if ((output -= characters) < 0) throw templateFault('The template writes too many characters');
}

/** The error of a template that cannot be rendered. */
export const templateFault = (message: string): RunFault => new RunFault('TemplateError', message);
