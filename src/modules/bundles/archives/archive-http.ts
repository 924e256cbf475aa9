import { setTimeout as sleep } from 'node:timers/promises';
import {
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  type SafeHttp,
} from '../../../lib/http/safe-http.js';
import { ArchiveRejected, PART_TIMEOUT_MS, type ArchiveFault } from './archive-store.js';

/** Faults in the settings indicated by response statuses. */
const FAULTS: Readonly<Record<number, ArchiveFault>> = { 401: 'access', 403: 'access', 404: 'bucket' };
/** Delays before each retry. The request fails after the last one. */
const BACKOFF_MS = [200, 1_000];
const TOO_MANY_REQUESTS = 429;

/** Sends requests to a store, checks the response status and retries transient errors. */
export class ArchiveHttp {
  constructor(private readonly http: SafeHttp) {}

  /**
   * Returns the response if its status is in `wanted`. Throws `ArchiveRejected` if the status indicates a fault in the
   * settings.
   */
  async expectStatus(wanted: readonly number[], request: OutboundRequest): Promise<OutboundResponse> {
    const answer = await this.send({ timeoutMs: PART_TIMEOUT_MS, ...request });
    if (wanted.includes(answer.status)) return answer;
    const fault = FAULTS[answer.status];
    throw fault ? new ArchiveRejected(fault) : new Error(`The store responded with status ${answer.status}`);
  }

  private async send(request: OutboundRequest): Promise<OutboundResponse> {
    for (const pause of BACKOFF_MS) {
      const answer = await this.http.request(request).catch(unlessLasting);
      if (answer && answer.status < 500 && answer.status !== TOO_MANY_REQUESTS) return answer;
      await sleep(pause);
    }
    return this.http.request(request);
  }
}

/** Whether a request that received no response may succeed when retried. */
export const isTransient = (error: unknown): boolean =>
  error instanceof OutboundError && (error.reason === 'unreachable' || error.reason === 'timeout');

/** Returns `undefined` for transient errors and rethrows others. */
function unlessLasting(error: unknown): undefined {
  if (!isTransient(error)) throw error;
}
