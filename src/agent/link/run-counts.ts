import type { RunOutcome } from '../../workflows/engine/run-request.js';
import type { AgentFlow } from '../flows/agent-flow.js';

/** Runs of a version of a workflow since the last report. */
interface Counts {
  readonly flowId: string;
  readonly flowVersion: string;
  runCount: number;
  errorCount: number;
  pathsCompleted: number;
  pathsFailed: number;
  /** Milliseconds. */
  wallTime: number;
}

const MAX_ERRORS = 100;

/** Counts runs, and keeps the latest errors, until the next report. */
export class RunCounts {
  private counts = new Map<string, Counts>();
  private errors: object[] = [];

  add(
    { flowId, flowVersion }: AgentFlow,
    outcome: Pick<RunOutcome, 'errors' | 'pathsCompleted' | 'pathsFailed' | 'wallTime'>,
  ): void {
    const key = `${flowId} ${flowVersion}`;
    const none = { runCount: 0, errorCount: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 };
    const counts = this.counts.get(key) ?? { flowId, flowVersion, ...none };
    this.counts.set(key, counts);
    counts.runCount++;
    counts.errorCount += outcome.errors.length;
    counts.pathsCompleted += outcome.pathsCompleted;
    counts.pathsFailed += outcome.pathsFailed;
    counts.wallTime += outcome.wallTime;
    for (const error of outcome.errors) this.errors.push({ flowId, flowVersion, ...error });
    if (this.errors.length > MAX_ERRORS) this.errors.splice(0, this.errors.length - MAX_ERRORS);
  }

  /** Returns the content of the next report, and begins a new one. */
  take(): { readonly metrics: readonly object[]; readonly errors: readonly object[] } {
    const taken = { metrics: [...this.counts.values()], errors: this.errors };
    this.counts = new Map();
    this.errors = [];
    return taken;
  }
}
