import { RunFault } from '../../engine/run-error.js';

export const tooLarge = (): RunFault =>
  new RunFault('PayloadTooLarge', 'The response of the other server is too large');

/** A connection, used by one call at a time. */
export interface Connection<Request> {
  /** Throws a `RunFault` for what the server refuses, and any error if the connection fails. */
  run(request: Request): Promise<unknown>;
  /** Removes the state that earlier calls left. Absent if they leave none. Throws if that fails. */
  reset?(): Promise<void>;
  /** Whether another call can use the connection. */
  readonly isReusable: boolean;
  close(): void;
}

/** Opens connections with the driver of a service, which it loads at first use. */
export interface Driver<Server extends object, Request extends object> {
  open(server: Server, timeoutMs: number): Promise<Connection<Request>>;
}

/**
 * Loads an optional package as the part `T` of its types, so that the platform compiles without it. Throws a
 * `RunFault` that names the package if it is not installed.
 */
export async function load<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new RunFault('NotAvailable', `The package ${name} is not installed on this platform`);
  }
}
