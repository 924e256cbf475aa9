import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { isReadOnly } from '../access/reader.js';
import type { GuardedRequest } from '../access/request.js';
import { jobLogId } from '../jobs/job-log-id.js';
import type { OperationMeta } from '../operations/operation.js';
import {
  RESPONSE_SENT,
  Reply,
  StoredResource,
  StoredPage,
  SerializedResponse,
} from '../responses/stored-resources.js';
import type { Contract } from '../responses/contract.js';
import { JobEnqueuedResult } from '../fields/shared.schemas.js';
import { sendCompressed } from './compressed.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Nest's Express adapter, which sends only the documented part of a handler's result. It is not an interceptor because
 * a single interceptor passes every request through RxJS, which costs 5 % of a GET.
 */
export class PlatformAdapter extends ExpressAdapter {
  /** Set when the document has been built. */
  contract: Contract;

  override reply(response: Response, result: unknown, statusCode?: number): unknown {
    if (result === RESPONSE_SENT) return undefined;
    const { operation } = response.req as GuardedRequest;
    if (!operation) return super.reply(response, result, statusCode);
    if (statusCode) response.statusCode = statusCode;
    const text = this.textOf(operation, response, result);
    return text === undefined
      ? response.end()
      : sendCompressed(response, text, () => this.send(response, text));
  }

  protected send(response: Response, text: string): unknown {
    response.setHeader('Content-Type', JSON_TYPE);
    return response.send(text);
  }

  private textOf({ id }: OperationMeta, response: Response, result: unknown): string | undefined {
    const reads = () => isReadOnly(response.req as GuardedRequest);
    let body = result;
    if (body instanceof Reply) {
      response.statusCode = body.status;
      body = body.body;
    }
    if (body instanceof JobEnqueuedResult) setJobLocation(response, body);
    if (body instanceof StoredResource || body instanceof StoredPage || body instanceof SerializedResponse)
      return body.toJsonText(reads);
    const { statusCode } = response;
    if (!this.contract.declares(id, statusCode)) throw new Error(`${id}: ${statusCode} is not declared`);
    return JSON.stringify(this.contract.copy(id, statusCode, body, reads));
  }
}

/** Sets the `Location` of a job to its entry in the job log of the application. */
function setJobLocation(response: Response, { jobId }: JobEnqueuedResult): void {
  const { application } = response.req as GuardedRequest;
  if (application)
    response.setHeader('Location', `/applications/${application.id}/jobLogs/${jobLogId(jobId)}`);
}
