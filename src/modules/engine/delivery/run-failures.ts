import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PayloadTooLarge } from '../../../lib/errors/errors.js';
import { OMITTED, type RunFailure } from '../../../workflows/engine/failure.js';
import type { Program } from '../../../workflows/engine/program.js';
import { RUN_FAILURE } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';

/** Type of the triggers of errors. A run that one of them started fires none. */
export const ERROR_TRIGGER = 'flowError';

/** A run that has failed. */
export interface FailedRun {
  program: Program;
  failure: RunFailure;
}

/** Fires the triggers of errors. */
@Injectable()
@RunsIn('engine')
export class RunFailures {
  constructor(private readonly firings: Firings) {}

  /** Fires in the transaction that stores the failed runs. */
  async fire(failed: readonly FailedRun[], transaction: Transaction): Promise<void> {
    await this.firings.fire(RUN_FAILURE, failed.map(firingOf), transaction);
  }
}

function firingOf({ program, failure }: FailedRun) {
  const { applicationId, flowId, flowClass, flowVersion } = program;
  const trigger = { type: ERROR_TRIGGER, key: '', failedFlowId: flowId, failedFlowClass: flowClass };
  const triggers = [
    { ...trigger, flowClass: 'cloud' },
    ...(flowClass === 'experience' ? [{ ...trigger, flowClass, version: flowVersion }] : []),
  ];
  return { applicationId, triggers, items: [{ given: givenOf(failure, flowId) }] };
}

function givenOf(data: RunFailure, sourceId: string): string {
  const source = { sourceId, sourceType: 'flow' };
  try {
    return textOf({ data, ...source });
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error;
    return textOf({ data: { ...data, erroredPayload: OMITTED }, ...source });
  }
}
