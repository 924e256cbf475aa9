import type { ApiPort, ApiResult } from '../../src/workflows/engine/ports.js';

/** A recorded call: operation, parameters and body. */
type Call = readonly [operationId: string, parameters: object, body?: unknown];

/** API that records calls and answers with given results, by operation. Others do not exist. */
export class RecordedApi implements ApiPort {
  readonly calls: Call[] = [];

  constructor(private readonly answers: Readonly<Record<string, unknown>> = {}) {}

  async call(_actor: unknown, operationId: string, parameters: object, body?: unknown): Promise<ApiResult> {
    this.calls.push(body === undefined ? [operationId, parameters] : [operationId, parameters, body]);
    const answer = this.answers[operationId];
    if (answer === undefined) return apiError(404, 'NotFound', 'Device was not found');
    return isError(answer) ? answer : { result: answer };
  }
}

/** Error of an operation. */
export const apiError = (statusCode: number, type: string, message: string): ApiResult => ({
  error: { type, message, statusCode },
});

const isError = (answer: unknown): answer is ApiResult =>
  typeof answer === 'object' && answer !== null && 'error' in answer;
