import type { ProgramNode } from './program.js';

/** Executions that a trace keeps: the first and the last ones of a run. */
const MAX_FIRST = 500;
const MAX_LAST = 500;
/** Numbers of an entry. */
const WIDTH = 4;

/** Output of an execution that has failed. */
export const FAILED = -2;

/**
 * Executions of nodes: index in `Program.nodes`, start and duration in milliseconds since the start of the run, and the
 * output: `END` if the node ended its path, `FAILED` if it failed. Nodes of custom nodes are part of their call.
 */
export type TraceEntry = readonly [node: number, start: number, duration: number, output: number];

/** Records executions in a flat list, because objects would cost more than most nodes do. */
export class Trace {
  /** The last entries replace each other in turn. */
  private readonly numbers: number[] = [];
  private readonly began = performance.now();
  private added = 0;

  /** Adds an execution that ends now, and returns the time. */
  add({ order }: ProgramNode, start: number, output = 0): number {
    const { numbers, added } = this;
    const end = performance.now();
    const at = (added < MAX_FIRST ? added : MAX_FIRST + ((added - MAX_FIRST) % MAX_LAST)) * WIDTH;
    numbers[at] = order;
    numbers[at + 1] = start - this.began;
    numbers[at + 2] = end - start;
    numbers[at + 3] = output;
    this.added++;
    return end;
  }

  /** Number of executions. Those between the first and the last ones are not kept. */
  get count(): number {
    return this.added;
  }

  /** The executions that are kept, in the order of their ends. Made when it is read, because most traces are discarded. */
  get entries(): TraceEntry[] {
    const { numbers, added } = this;
    const oldest = added > MAX_FIRST + MAX_LAST ? (added - MAX_FIRST) % MAX_LAST : 0;
    return Array.from({ length: numbers.length / WIDTH }, (_, i) => {
      const at = (i < MAX_FIRST ? i : MAX_FIRST + ((i - MAX_FIRST + oldest) % MAX_LAST)) * WIDTH;
      return numbers.slice(at, at + WIDTH) as unknown as TraceEntry;
    });
  }
}
