import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { ServerResponse, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
import type { Handler } from './route-index.js';

export type Verb = 'get' | 'post' | 'patch' | 'delete';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Nest's Express adapter, which sends only the documented part of a handler's result. It is not an interceptor because
 * a single interceptor passes every request through RxJS, which costs 5 % of a GET.
 */
export class PlatformAdapter extends ExpressAdapter {
  /** Handlers by method and path, such as `get /applications/:applicationId`, for calls in the process. */
  readonly handlers = new Map<string, Handler>();
  /** Set when the document has been built. */
  contract: Contract;
  /** Called with the result of each handler. The response waits for the promise, if any. */
  beforeReply: (request: GuardedRequest, result: unknown) => Promise<void> | undefined = () => undefined;

  override get(...route: unknown[]): void {
    this.route('get', route as [string, Handler]);
  }

  override post(...route: unknown[]): void {
    this.route('post', route as [string, Handler]);
  }

  override patch(...route: unknown[]): void {
    this.route('patch', route as [string, Handler]);
  }

  override delete(...route: unknown[]): void {
    this.route('delete', route as [string, Handler]);
  }

  private route(verb: Verb, [path, handler]: [string, Handler]): void {
    this.handlers.set(`${verb} ${path}`, handler);
    this.addRoute(verb, path, handler);
  }

  /** Adds a route to the router. */
  protected addRoute(verb: Verb, path: string, handler: Handler): void {
    this.getInstance<Express>()[verb](path, handler);
  }

  /** Returns the response to a request that does not come from the server's own parser. */
  respondTo(request: IncomingMessage): ServerResponse {
    return new ServerResponse(request);
  }

  override reply(response: Response, result: unknown, statusCode?: number): unknown {
    const before = this.beforeReply(response.req as GuardedRequest, result);
    const send = () => this.write(response, result, statusCode);
    return before ? before.then(send) : send();
  }

  private write(response: Response, result: unknown, statusCode?: number): unknown {
    if (result === RESPONSE_SENT) return undefined;
    const { operation } = response.req as GuardedRequest;
    if (!operation) return super.reply(response, result, statusCode);
    if (statusCode) response.statusCode = statusCode;
    if (result instanceof StoredPage) return this.sendPage(response, result);
    const text = this.textOf(operation, response, result);
    return text === undefined
      ? response.end()
      : sendCompressed(response, text, () => this.send(response, text, 'utf8'));
  }

  /** Sends JSON: text, or UTF-8 with a character for each byte. */
  protected send(response: Response, json: string, encoding: 'utf8' | 'latin1'): unknown {
    response.setHeader('Content-Type', JSON_TYPE);
    return response.send(Buffer.from(json, encoding));
  }

  private sendPage(response: Response, page: StoredPage<unknown>): unknown {
    const pieces = page.toJson(() => isReadOnly(response.req as GuardedRequest));
    const [first, second] = [pieces.next().value as string, pieces.next()];
    return second.done
      ? sendCompressed(response, first, () => this.send(response, first, 'latin1'))
      : streamed(response, [first, second.value], pieces);
  }

  private textOf({ id }: OperationMeta, response: Response, result: unknown): string | undefined {
    const reads = () => isReadOnly(response.req as GuardedRequest);
    let body = result;
    if (body instanceof Reply) {
      response.statusCode = body.status;
      body = body.body;
    }
    if (body instanceof JobEnqueuedResult) setJobLocation(response, body);
    if (body instanceof StoredResource || body instanceof SerializedResponse) return body.toJsonText(reads);
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

/** Sends `start` and the other pieces of a page at the speed of the reader. */
async function streamed(
  response: Response,
  start: readonly string[],
  pieces: Iterable<string>,
): Promise<void> {
  response.setHeader('Content-Type', JSON_TYPE);
  let done: Promise<void> | undefined;
  sendCompressed(response, start[0]!, () => {
    if (response.req.method === 'HEAD') response.end();
    else done = pipeline(Readable.from(bytesOf(start, pieces)), response);
  });
  try {
    await done;
  } catch (error) {
    // The reader disconnected.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function* bytesOf(...parts: Iterable<string>[]): Generator<Buffer> {
  for (const pieces of parts) for (const piece of pieces) yield Buffer.from(piece, 'latin1');
}
