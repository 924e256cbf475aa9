import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import type { RunOutcome } from '../../../workflows/engine/run-request.js';
import type { Program } from '../../../workflows/engine/program.js';
import type { Trace } from '../../../workflows/engine/trace.js';
import type { StoredTrace, TraceReason } from '../../flows/flow-runs/flow-run-trace.entity.js';

/** Duration in milliseconds from which a run is slow. */
const SLOW_MS = 5_000;
/** Time in which an application can store a number of bytes, in traces of watched runs and in others. */
const WINDOW_MS = 10 * 60_000;
const MAX_BYTES = 128 * 1024;
/** Maximum number of characters of a trace, and of a label in it. */
const MAX_TRACE = 64 * 1024;
const MAX_LABEL = 100;

/**
 * Chooses the traces that are stored: of runs that failed, were slow or watched, and of the first run of each workflow in
 * a window of time. Each application can store a limited number of bytes in a window and process.
 */
@Injectable()
@RunsIn('engine')
export class RunTraces {
  private window = 0;
  private readonly bytes = new Map<string, number>();
  /** Workflows with a trace in this window. */
  private readonly traced = new Set<string>();

  /** Returns the trace of a run as JSON, or `undefined` if it is not to be stored. */
  textOf(program: Program, outcome: RunOutcome, isWatched: boolean): string | undefined {
    if (!outcome.trace) return undefined;
    this.enterWindow();
    const { applicationId, flowId } = program;
    const reason = reasonOf(outcome, isWatched, this.traced.has(flowId));
    if (!reason) return undefined;
    const budget = `${applicationId} ${isWatched}`;
    const used = this.bytes.get(budget) ?? 0;
    if (used >= MAX_BYTES) return undefined;
    const text = JSON.stringify(storedTrace(program, outcome.trace, reason));
    if (text.length > MAX_TRACE) return undefined;
    this.traced.add(flowId);
    this.bytes.set(budget, used + text.length);
    return text;
  }

  private enterWindow(): void {
    const window = Math.floor(Date.now() / WINDOW_MS);
    if (window === this.window) return;
    this.window = window;
    this.bytes.clear();
    this.traced.clear();
  }
}

function reasonOf(
  { pathsFailed, wallTime }: RunOutcome,
  isWatched: boolean,
  isTraced: boolean,
): TraceReason | undefined {
  if (pathsFailed > 0) return 'failed';
  if (isWatched) return 'watched';
  if (wallTime >= SLOW_MS) return 'slow';
  return isTraced ? undefined : 'sampled';
}

function storedTrace({ nodes }: Program, { count, entries }: Trace, reason: TraceReason): StoredTrace {
  const indexes = new Map<number, number>();
  const indexOf = (order: number): number => {
    const index = indexes.get(order) ?? indexes.size;
    indexes.set(order, index);
    return index;
  };
  const executions = entries.map(
    ([order, start, duration, output]) => [indexOf(order), micros(start), micros(duration), output] as const,
  );
  const named = [...indexes.keys()].map((order) => {
    const { id, type, label } = nodes[order]!;
    return { id, type, label: label?.slice(0, MAX_LABEL) };
  });
  return { reason, count, nodes: named, entries: executions };
}

/** Rounds milliseconds to microseconds. */
const micros = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;
