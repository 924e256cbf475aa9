import { WorkBudget } from '../../../lib/async/work-budget.js';
import { ApiError } from '../../../lib/errors/errors.js';
import {
  OutboundError,
  type OutboundReason,
  type OutboundResponse,
  type SafeHttp,
} from '../../../lib/http/safe-http.js';
import { unreachableMessage } from '../../../lib/http/unreachable-message.js';
import type { Actor, HttpCall, HttpPort } from '../ports.js';
import { RunFault } from '../run-error.js';

const MAX_BYTES = 5 * 1024 * 1024;

/** Bounds the memory of responses in a process. */
const BUDGET = {
  concurrency: 64,
  concurrencyPerOwner: 16,
  waitingPerOwner: 256,
  waiting: 2048,
  patienceMs: 30_000,
};

/** Names of the errors that authors see. All others are `RequestError`. */
const NAMES: Partial<Record<OutboundReason, string>> = { timeout: 'TimeoutError', size: 'PayloadTooLarge' };

/** The HTTP client of workflows. Applications, or other owners of runs, take turns. */
export class FlowHttp implements HttpPort {
  private readonly budget = new WorkBudget(BUDGET);

  constructor(
    private readonly http: SafeHttp,
    private readonly ownerOf = ({ applicationId }: Actor): string => applicationId,
  ) {}

  async send(actor: Actor, call: HttpCall, signal: AbortSignal): Promise<OutboundResponse> {
    try {
      return await this.budget.run(this.ownerOf(actor), () =>
        this.http.request({ ...call, signal, maxBytes: MAX_BYTES }),
      );
    } catch (error) {
      if (error instanceof OutboundError)
        throw new RunFault(NAMES[error.reason] ?? 'RequestError', messageOf(error));
      if (error instanceof ApiError) throw new RunFault('RequestError', error.message);
      throw error;
    }
  }
}

const messageOf = ({ reason, message, cause }: OutboundError): string =>
  reason === 'address' || reason === 'unreachable' ? unreachableMessage(cause) : message;
