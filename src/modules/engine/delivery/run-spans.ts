import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { SpanExporter, type Span } from '../../../platform/probes/span-exporter.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import type { RunOutcome } from '../../../workflows/engine/run-request.js';
import type { Program } from '../../../workflows/engine/program.js';
import { FAILED } from '../../../workflows/engine/trace.js';

/** Maximum number of spans of nodes in a run. */
const MAX_NODES = 100;

/** What a span of a run tells besides its outcome. */
export interface SpannedRun {
  id: string;
  program: Program;
  triggerType: string;
  /** Milliseconds since 1970. */
  began: number;
}

/**
 * Sends spans of runs and of the first executions of their nodes. They contain IDs, types, times and names of errors.
 * Payloads, and messages of errors, which can quote them, stay in the platform.
 */
@Injectable()
@RunsIn('engine')
export class RunSpans {
  constructor(private readonly exporter: SpanExporter) {}

  /** Sends the spans of a run that has ended. The ID of the trace is that of the run, after eight zeros. */
  add(run: SpannedRun, outcome: RunOutcome): void {
    if (!this.exporter.isEnabled) return;
    const { id, program, triggerType, began } = run;
    const { pathsCompleted, pathsFailed, wallTime, errors, trace } = outcome;
    const traceId = id.padStart(32, '0');
    const spanId = randomBytes(8).toString('hex');
    const root: Span = {
      ...{ traceId, spanId, name: 'workflow.run', start: began, end: began + wallTime },
      attributes: {
        'fieldwright.application.id': program.applicationId,
        'fieldwright.workflow.id': program.flowId,
        'fieldwright.workflow.version': program.flowVersion,
        'fieldwright.run.id': id,
        'fieldwright.run.trigger': triggerType,
        'fieldwright.run.paths_completed': pathsCompleted,
        'fieldwright.run.paths_failed': pathsFailed,
      },
      error: pathsFailed > 0 ? (errors[0]?.error.name ?? 'Error') : undefined,
    };
    const nodes = (trace?.entries ?? []).slice(0, MAX_NODES).map(([order, start, duration, output]): Span => {
      const node = program.nodes[order]!;
      return {
        ...{ traceId, spanId: randomBytes(8).toString('hex'), parentSpanId: spanId, name: node.type },
        ...{ start: began + start, end: began + start + duration },
        attributes: { 'fieldwright.node.id': node.id },
        error:
          output === FAILED
            ? (errors.find(({ nodeId }) => nodeId === node.id)?.error.name ?? 'Error')
            : undefined,
      };
    });
    this.exporter.add([root, ...nodes]);
  }
}
