import type { OutboundResponse } from '../../lib/http/safe-http.js';
import type { RunPath } from '../engine/node-run.js';
import type { HttpCall } from '../engine/ports.js';
import { RunFault } from '../engine/run-error.js';

/** Longest part of a response that becomes the message of an error, in characters. */
const MAX_MESSAGE = 1_000;

/** Sends a request to a service. Throws a `RunFault` if its status is not a success. */
export async function exchange({ run }: RunPath, call: HttpCall): Promise<OutboundResponse> {
  // A redirect would lead to another service.
  const answer = await run.ports.http.send(run, { followsRedirects: false, ...call }, run.signal);
  if (answer.status < 200 || answer.status > 299) throw new RunFault('ServiceError', refusalIn(answer));
  return answer;
}

/** Returns the content of a URL. Throws a `RunFault`. */
export const fetched = async (path: RunPath, url: string): Promise<OutboundResponse> =>
  exchange(path, { url, followsRedirects: true });

/** Returns the reason that a service gives, in JSON or XML, or else its status. */
function refusalIn({ status, body }: OutboundResponse): string {
  const text = body.toString('utf8').slice(0, 64 * 1024);
  const [, inXml] = /<Message>([^<]*)<\/Message>/.exec(text) ?? [];
  const message = inXml ?? messageIn(text) ?? (/^[\w .,:-]{1,200}$/.test(text) ? text : undefined);
  return (message ?? `The service responded with status ${status}`).slice(0, MAX_MESSAGE);
}

/** Members of JSON errors with a message: of AWS, Twilio and SendGrid, and of Google. */
interface JsonError {
  message?: unknown;
  Message?: unknown;
  error?: { message?: unknown };
  errors?: { message?: unknown }[];
}

function messageIn(text: string): string | undefined {
  try {
    const given = JSON.parse(text) as JsonError | null;
    const all = [given?.message, given?.Message, given?.error?.message, given?.errors?.[0]?.message];
    return all.find((each): each is string => typeof each === 'string' && each !== '');
  } catch {
    return undefined;
  }
}

/** Returns `{error: {type, message}}` for errors of a service, and rethrows others. */
export function errorObject(error: unknown): { error: { type: string; message: string } } {
  const { name, message } = serviceFault(error);
  return { error: { type: name, message } };
}

/** Returns the error of a service or of its connection; rethrows errors of the configuration and others. */
export function serviceFault(error: unknown): RunFault {
  if (!(error instanceof RunFault) || error.name === 'ValidationError') throw error;
  return error;
}
