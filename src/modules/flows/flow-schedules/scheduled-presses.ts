import { Injectable } from '@nestjs/common';
import { nanoid } from 'nanoid';
import { ApiError, PayloadTooLarge, ValidationError } from '../../../lib/errors/errors.js';
import { inspect, inspectText } from '../../../platform/server/read-body.js';
import type { Actor, ApiResult, LaterPress, PressesPort } from '../../../workflows/engine/ports.js';
import { VirtualButtonsService } from '../flow-runs/virtual-buttons.service.js';
import { MAX_PRESSES, ScheduledPressesRepository } from './scheduled-presses.repository.js';

const MAX_PAYLOAD_BYTES = 64 * 1024;

/** Presses of virtual buttons that workflows schedule. */
@Injectable()
export class ScheduledPresses implements PressesPort {
  constructor(
    private readonly presses: ScheduledPressesRepository,
    private readonly buttons: VirtualButtonsService,
  ) {}

  schedule({ applicationId, flowId: byFlowId }: Actor, press: LaterPress): Promise<ApiResult> {
    return answerOf(async () => {
      const { flowId, key, flowVersion: version, dueAt } = press;
      const runId = press.runId === '' ? nanoid() : press.runId;
      const payload = textOf(press.payload);
      inspectText(runId, 'runId');
      inspectText(version, 'flowVersion');
      await this.buttons.find(applicationId, flowId, version, key);
      const scheduled = { applicationId, runId, byFlowId, flowId, version, key, payload, dueAt };
      if (!(await this.presses.schedule(scheduled)))
        throw new ValidationError(`An application can have at most ${MAX_PRESSES} scheduled presses`);
      return { runId };
    });
  }

  cancel({ applicationId }: Actor, runId: string): Promise<ApiResult> {
    return answerOf(async () => {
      inspectText(runId, 'runId');
      await this.presses.cancel(applicationId, runId);
      return { runId };
    });
  }
}

function textOf(payload: unknown): string {
  if (payload === undefined) return '';
  inspect(payload, 'payload');
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES)
    throw new PayloadTooLarge('The payload of a scheduled press is larger than 64 KiB');
  return text;
}

async function answerOf(work: () => Promise<unknown>): Promise<ApiResult> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { type, message, status } = error;
    return { error: { type, message, statusCode: status } };
  }
}
