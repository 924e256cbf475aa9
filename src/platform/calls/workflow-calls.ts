import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import { finished } from 'node:stream/promises';
import qs from 'qs';
import { Forbidden, NotFound, PayloadTooLarge, ValidationError } from '../../lib/errors/errors.js';
import { AccessCache } from '../access/access-cache.js';
import type { Principal } from '../access/principal.js';
import { Principals } from '../access/principals.js';
import { Metrics } from '../probes/metrics.js';
import { bodySizeOf } from '../server/body-sizes.js';
import { apiErrorOf } from '../responses/database-errors.js';
import { parseQuery } from '../server/http.js';
import type { PlatformAdapter } from '../server/platform.adapter.js';
import { copyOfBody, inspect } from '../server/read-body.js';
import { admitCall } from './calls.js';
import { CallForm, type CallFile } from './call-form.js';
import { callableOperations, type CallableOperation } from './callable-operations.js';
import { CallResponse } from './call-response.js';

/** Maximum length of a parameter in the path, and of all others as text of a query, in characters. */
const MAX_PARAMETER_LENGTH = 4_096;
const MAX_QUERY_LENGTH = 64 * 1024;

/** Workflow on whose behalf an operation is called. */
interface CallingWorkflow {
  readonly id: string;
  /** Application that the operation concerns. */
  readonly applicationId: string;
  readonly flowId: string;
  /** API token that is the caller instead of the workflow, with its own rights and limits. */
  readonly token?: string;
}

/** Result of an operation: the body of a success, or the error that the API would send. */
type CallResult =
  | { readonly result: unknown }
  | { readonly error: { readonly type: string; readonly message: string; readonly statusCode: number } };

/** Status and body of a response. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Operations by ID. */
type Operations = ReadonlyMap<string, CallableOperation>;

interface KnownOperations {
  readonly withJson: Operations;
  readonly withFile: Operations;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Calls operations of the API in the process, for workflows. A call passes the guards, pipes, filters and serializers of
 * a request with the workflow as its caller, but no socket, router or middleware. It counts for no limit of requests.
 */
@Injectable()
export class WorkflowCalls {
  private operations?: KnownOperations;

  constructor(
    private readonly host: HttpAdapterHost<PlatformAdapter>,
    private readonly discovery: DiscoveryService,
    private readonly principals: Principals,
    private readonly cache: AccessCache,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Calls an operation on the application of a workflow, or on another one with a token. `parameters` are those of the
   * path and the query, without the ID of the application. They can contain the body under its name in the document, if `body` is
   * omitted. The result shares nothing with the given values.
   */
  async call(
    workflow: CallingWorkflow,
    operationId: string,
    parameters: Parameters,
    body?: unknown,
  ): Promise<CallResult> {
    return this.observed(operationId, async () => {
      const callable = called(this.callable, operationId);
      const { operation } = callable;
      const { bodyName } = operation;
      inspect(withoutBody(parameters, bodyName), 'A parameter');
      const sent = bodyName === undefined ? undefined : (body ?? own(parameters, bodyName));
      return this.answer(workflow, callable, parameters, (facts) => ({
        headers: {},
        ...facts,
        body: copyOfBody(sent, bodySizeOf(operation)),
      }));
    });
  }

  /** Calls an operation with a file, like `call`. */
  async upload(
    workflow: CallingWorkflow,
    operationId: string,
    parameters: Parameters,
    file: CallFile,
  ): Promise<CallResult> {
    return this.observed(operationId, async () => {
      const callable = called(this.known.withFile, operationId);
      inspect(parameters, 'A parameter');
      return this.answer(workflow, callable, parameters, (facts) =>
        Object.assign(new CallForm(callable.operation.file!, file), facts),
      );
    });
  }

  private async observed(operationId: string, work: () => Promise<Answer>): Promise<CallResult> {
    const started = performance.now();
    const answer = await work().catch(errorOf);
    // The ID may be a text of an author, which must not become the name of a time series.
    const known =
      this.callable.has(operationId) || this.known.withFile.has(operationId) ? operationId : 'none';
    this.metrics.observeCall(known, answer.status, performance.now() - started);
    if (answer.status < 400) return { result: answer.body };
    const { type, message } = answer.body as { type: string; message: string };
    return { error: { type, message, statusCode: answer.status } };
  }

  private async answer(
    { id, applicationId, flowId, token }: CallingWorkflow,
    { operation, method, path, parameters }: CallableOperation,
    given: Parameters,
    requestOf: (facts: object) => object,
  ): Promise<Answer> {
    const caller = token === undefined ? await this.callerOf(applicationId, flowId) : undefined;
    const params = Object.fromEntries(
      parameters.map((name) => [name, name === 'applicationId' ? applicationId : pathParameter(name, given)]),
    );
    const ofQuery = Object.entries(given).filter(
      ([name]) => name !== operation.bodyName && !parameters.includes(name),
    );
    const request = requestOf({
      id,
      method: method.toUpperCase(),
      path,
      url: path,
      originalUrl: path,
      params,
      query: queryOf(ofQuery),
      ip: '',
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
    if (caller) admitCall(request, { caller, operationId: operation.id });
    const response = new CallResponse(request);
    const handler = this.host.httpAdapter.handlers.get(`${method} ${path}`);
    if (!handler) throw new Error(`${operation.id} has no route`);
    const sending = finished(response);
    await Promise.all([
      sending,
      handler(request as never, response as never, (error) => response.destroy(error as Error)),
    ]);
    return { status: response.statusCode, body: response.body };
  }

  /** Operations that workflows can call with JSON, by ID. */
  get callable(): Operations {
    return this.known.withJson;
  }

  private get known(): KnownOperations {
    if (this.operations) return this.operations;
    const all = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => callableOperations(metatype as Type))
      .map((each) => [each.operation.id, each] as const);
    return (this.operations = {
      withJson: new Map(all.filter(([, { operation }]) => !operation.file)),
      withFile: new Map(all.filter(([, { operation }]) => operation.file)),
    });
  }

  private async callerOf(applicationId: string, flowId: string): Promise<Principal> {
    const caller =
      this.cache.workflow(flowId) ??
      (await this.cache.loadWorkflow(flowId, () => this.principals.loadFlow(flowId)));
    // A workflow of another application would be refused below, but its name would be in logs.
    if (!caller?.belongsTo(applicationId)) throw new NotFound('Flow');
    return caller;
  }
}

function called(operations: Operations, id: string): CallableOperation {
  const callable = operations.get(id);
  if (!callable) throw new Forbidden(`Workflows cannot call ${id}`);
  return callable;
}

function errorOf(thrown: unknown): Answer {
  const error = apiErrorOf(thrown);
  if (!error) throw thrown;
  const { status, type, message } = error;
  return { status, body: { type, message } };
}

const own = (values: Parameters, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function withoutBody(given: Parameters, bodyName: string | undefined): Parameters {
  if (bodyName === undefined || !Object.hasOwn(given, bodyName)) return given;
  const { [bodyName]: _body, ...others } = given;
  return others;
}

function pathParameter(name: string, given: Parameters): string {
  const value = own(given, name);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '') throw new ValidationError(`${name} is required`);
  if (text.length > MAX_PARAMETER_LENGTH) throw new ValidationError(`${name} is too long`);
  return text;
}

/** Returns the query that the router would read. Objects are sent as JSON, lists in brackets. */
function queryOf(parameters: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const given = parameters.flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const isObject = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
    return [[name, isObject ? JSON.stringify(value) : value]];
  });
  if (given.length === 0) return {};
  const text = qs.stringify(Object.fromEntries(given), { skipNulls: true });
  if (text.length > MAX_QUERY_LENGTH) throw new PayloadTooLarge('The parameters are too long');
  return parseQuery(text);
}
