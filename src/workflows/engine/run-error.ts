import { ApiError } from '../../lib/errors/errors.js';

/** Ends a run: all of its paths stop, and triggers of errors fire. `name` and `message` are shown to the author. */
export class RunFault extends Error {
  /**
   * @param name kind of the error, such as `ValidationError` or `FunctionNodeTypeError`
   * @param trace lines of the stack of the author's own code, for Function nodes only
   */
  constructor(
    override readonly name: string,
    message: string,
    readonly trace?: readonly string[],
  ) {
    super(message);
  }
}

/** Returns an error of the API as the error of a run, and any other error unchanged. */
export const asFault = (error: unknown): unknown =>
  error instanceof ApiError ? new RunFault(error.type, error.message) : error;

/** The error of a setting that cannot be used with the given payload, such as a required template that is empty. */
export const invalidSetting = (name: string, problem: string): RunFault =>
  new RunFault('ValidationError', `${name} ${problem}`);
