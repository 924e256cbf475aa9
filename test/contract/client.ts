import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { operationsOf } from '../../src/openapi/operations.js';
import { jobLogId } from '../../src/platform/jobs/job-log-id.js';
import { forAjv } from '../../src/platform/responses/contract.js';
import { referredName } from '../../src/platform/responses/schema.js';

type Json = Record<string, unknown>;

/** A response whose body is validated against the document. */
export interface Answer<T = any> {
  status: number;
  body: T;
  headers: Headers;
}

export interface RequestOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Entry {
  id: string;
  method: string;
  pattern: RegExp;
  responses: Record<string, Json>;
}

/** Responses declared by a document. */
class Declared {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly entries: Entry[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
    (addFormatsModule as unknown as (ajv: Ajv) => void)(this.ajv);
    this.ajv.addSchema({
      $id: 'document',
      components: { schemas: closed(forAjv(document.components?.schemas ?? {})) },
    });
    this.entries = operationsOf(document).map(({ path, method, operation }) => ({
      id: operation.operationId.replace('_', '.'),
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
      responses: operation.responses,
    }));
  }

  /** Returns the operation of a request, if it is documented. */
  find(method: string, path: string): Entry | undefined {
    const pathname = path.split('?')[0]!;
    return this.entries.find((known) => known.method === method && known.pattern.test(pathname));
  }

  /** Throws if a response does not match the document; `content` is its text. */
  hold(method: string, path: string, { status, headers, body }: Answer, content: string): void {
    const at = `${method} ${path} → ${status}`;
    if (!headers.get('x-request-id')) throw new Error(`${at}: no X-Request-Id`);
    const entry = this.find(method, path);
    if (!entry) return;
    const response = this.resolve(entry.responses[status]);
    if (!response) throw new Error(`${at} is not declared: ${content}`);
    if ((response.headers as Json | undefined)?.Location)
      holdLocation(at, headers, body as { jobId: string });
    const schema = (response.content as Record<string, Json> | undefined)?.['application/json']?.schema as
      Json | undefined;
    if (!schema) {
      if (content !== '') throw new Error(`${at}: unexpected body: ${content}`);
      return;
    }
    const validate = this.validator(schema);
    if (!validate(body))
      throw new Error(`${at}: ${this.ajv.errorsText(validate.errors)} in ${content.slice(0, 2000)}`);
  }

  private resolve(response: Json | undefined): Json | undefined {
    if (typeof response?.$ref !== 'string') return response;
    return this.document.components!.responses![referredName(response.$ref)] as unknown as Json;
  }

  private validator(schema: Json): ValidateFunction {
    const key = JSON.stringify(schema);
    let validate = this.validators.get(key);
    if (!validate) this.validators.set(key, (validate = this.ajv.compile(closed(forAjv(schema)) as Json)));
    return validate;
  }
}

/** Throws if the `Location` of a job is not its entry in a job log. */
function holdLocation(at: string, headers: Headers, { jobId }: { jobId: string }): void {
  const location = headers.get('location') ?? '';
  if (!new RegExp(`^/applications/[a-f\\d]{24}/jobLogs/${jobLogId(jobId)}$`).test(location))
    throw new Error(`${at}: the Location of job ${jobId} is ${location}`);
}

/**
 * Compiling the schemas of a document takes as long as many requests, so platforms that serve the same one share them.
 */
const declared = new WeakMap<OpenAPIObject, Declared>();

/** How a client treats responses. */
export interface ClientOptions {
  /** Whether to repeat requests that a busy server rejects. Tests of exactly these responses do not. */
  retries?: boolean;
  /** Called with each response to a documented operation. */
  report?: (exchange: Exchange) => void;
}

/** A request and its response, for reports. */
export interface Exchange {
  /** Name of the operation, such as `device.get`. */
  operation: string;
  method: string;
  path: string;
  token?: string;
  answer: Answer;
  ms: number;
}

/** Maximum time in milliseconds for which a request is repeated. */
const PATIENCE_MS = 25_000;

/**
 * Calls the platform over HTTP and validates every response against the document. A status that the operation does not
 * declare, or a body with an undeclared property, fails the test that received it. A request that a busy server rejects
 * with `429` or `503` is repeated after the time in `Retry-After`, so that no test depends on the speed of the machine.
 */
export class Client {
  private readonly declared: Declared;

  constructor(
    readonly url: string,
    document: OpenAPIObject,
    private readonly options: ClientOptions = {},
  ) {
    this.declared = declared.get(document) ?? new Declared(document);
    declared.set(document, this.declared);
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, options);
  }

  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', path, { body, ...options });
  }

  patch(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('PATCH', path, { body, ...options });
  }

  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', path, options);
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.send(method, path, options);
      const waitMs = this.options.retries === false ? undefined : retryDelay(answer);
      if (waitMs === undefined || Date.now() + waitMs > end) return answer;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  private async send(
    method: string,
    path: string,
    { token, body, headers = {} }: RequestOptions,
  ): Promise<Answer> {
    const started = performance.now();
    const isText = body === undefined || body instanceof FormData || typeof body === 'string';
    const text = isText ? body : JSON.stringify(body);
    const response = await fetch(this.url + path, {
      method,
      body: text,
      headers: {
        ...(text === undefined || text instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
    });
    const content = await contentOf(response);
    const answer = { status: response.status, headers: response.headers, body: parsed(content) };
    const operation = this.options.report && this.declared.find(method, path)?.id;
    if (operation)
      this.options.report!({ operation, method, path, token, answer, ms: performance.now() - started });
    this.hold(method, path, answer, content);
    return answer;
  }

  /** Throws if a response does not match the document; `content` is its text. */
  hold(method: string, path: string, answer: Answer, content: string): void {
    this.declared.hold(method, path, answer, content);
  }
}

/** Returns the milliseconds after which a request that a busy server rejected may succeed. */
function retryDelay({ status, headers }: Answer): number | undefined {
  const seconds = Number(headers.get('retry-after') || NaN);
  return (status === 429 || status === 503) && seconds >= 0 ? seconds * 1000 : undefined;
}

/**
 * Responses that are not JSON and not validated: event streams do not end until the client disconnects, and modules are
 * binary.
 */
const UNREAD = ['text/event-stream', 'application/wasm'];

async function contentOf(response: Response): Promise<string> {
  if (!UNREAD.includes(response.headers.get('content-type') ?? '')) return response.text();
  await response.body?.cancel();
  return '';
}

/** Returns the schema with `additionalProperties: false` for every object. */
export function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isObject = typeof schema.properties === 'object' && schema.type === 'object' && !('allOf' in schema);
  return isObject && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
