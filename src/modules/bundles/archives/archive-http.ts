import { setTimeout as sleep } from 'node:timers/promises';
import {
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  type SafeHttp,
} from '../../../lib/http/safe-http.js';
import { ArchiveRefused, PART_MS, type ArchiveFault } from './archive-store.js';

/** What the status of an answer says of the settings. */
const FAULTS: Readonly<Record<number, ArchiveFault>> = { 401: 'access', 403: 'access', 404: 'bucket' };
/** How long to wait before a request is sent again; then it has failed. */
const PAUSES_MS = [200, 1_000];
const TOO_MANY = 429;

/** Requests to a store that are answered as they should be, and may be sent again. */
export class ArchiveHttp {
  constructor(private readonly http: SafeHttp) {}

  /** The answer, whose status is one of `wanted`. Throws `ArchiveRefused` where it says that settings are at fault. */
  async demand(wanted: readonly number[], request: OutboundRequest): Promise<OutboundResponse> {
    const answer = await this.send({ timeoutMs: PART_MS, ...request });
    if (wanted.includes(answer.status)) return answer;
    const fault = FAULTS[answer.status];
    throw fault ? new ArchiveRefused(fault) : new Error(`The store answers ${answer.status}`);
  }

  private async send(request: OutboundRequest): Promise<OutboundResponse> {
    for (const pause of PAUSES_MS) {
      const answer = await this.http.request(request).catch(unlessLasting);
      if (answer && answer.status < 500 && answer.status !== TOO_MANY) return answer;
      await sleep(pause);
    }
    return this.http.request(request);
  }
}

/** Whether a request that had no answer may have one when it is sent again. */
export const mayPass = (error: unknown): boolean =>
  error instanceof OutboundError && (error.reason === 'unreachable' || error.reason === 'timeout');

/** Nothing, for what may pass. */
function unlessLasting(error: unknown): undefined {
  if (!mayPass(error)) throw error;
}
