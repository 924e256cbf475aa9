import { isObject } from '../../lib/json/json.js';
import { isTopic } from '../../lib/mqtt/topic-filter.js';
import type { ApiPort, ApiResult, MessagesPort } from '../../workflows/engine/ports.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import { fitsJson } from '../../workflows/engine/size.js';

/** Where reports and messages to the platform go. */
export interface Outbox {
  /** ID of the gateway; `undefined` until the agent knows it. */
  readonly deviceId: string | undefined;
  /** Returns whether the gateway may report for a device: itself, a peripheral of it, or a floating device. */
  mayReport(deviceId: string): boolean;
  /** Sends a message, now or after the next connection. Returns `false` if it is lost. */
  send(topic: string, payload: string): boolean;
  readonly topicPrefix: string;
}

/** Room for a list with one state in a message of 256 KiB. */
const MAX_BYTES = 256 * 1024 - 1_024;

const failed = (type: string, message: string, statusCode: number): ApiResult => ({
  error: { type, message, statusCode },
});
const invalid = (message: string): ApiResult => failed('Validation', message, 400);
const UNSENT = 'The platform is not connected, and messages are not queued';

/**
 * The only operation of the API that the agent has: reports of devices. They are sent over MQTT, with the time at which
 * they were made.
 */
export function reportsPort(outbox: Outbox): ApiPort {
  /** Times of the last reports of devices. */
  const latest = new Map<string, number>();
  /** Returns the time of a state without one. It differs from that of the state before, which it would replace. */
  const nextTime = (deviceId: string): number => {
    const time = Math.max(Date.now(), (latest.get(deviceId) ?? 0) + 1);
    latest.set(deviceId, time);
    return time;
  };
  return {
    call: async (_actor, operationId, parameters, body) => {
      if (operationId !== 'device.sendState')
        return failed('NotAvailable', `${operationId} is not available on edge devices`, 501);
      const deviceId = String(parameters.deviceId).toLowerCase();
      if (outbox.deviceId === undefined)
        return failed('NotAvailable', 'The gateway has no credentials yet', 503);
      if (!outbox.mayReport(deviceId)) return failed('NotFound', 'Device was not found', 404);
      const states = (Array.isArray(body) ? body : [body]).map((state: unknown) =>
        stateOf(state, () => nextTime(deviceId)),
      );
      if (states.includes(undefined)) return invalid('A state must have data, and a time that is a date');
      for (const state of states) {
        if (!fitsJson(state, MAX_BYTES)) return invalid(`A state must have at most ${MAX_BYTES} bytes`);
        if (!outbox.send(`${outbox.topicPrefix}/${deviceId}/state`, JSON.stringify(state)))
          return failed('Unavailable', UNSENT, 503);
      }
      return { result: { success: true } };
    },
  };
}

/** Returns a state with its time in milliseconds, or `undefined` if it is not a state. */
function stateOf(state: unknown, nextTime: () => number): object | undefined {
  if (!isObject(state) || !isObject(state.data)) return undefined;
  const { data, time = nextTime(), meta, flowVersion } = state;
  const date = new Date(time as Date | number | string);
  if (Number.isNaN(date.getTime())) return undefined;
  return { data, time: date.getTime(), meta, flowVersion };
}

/** Messages on custom topics of the application. */
export const messagesPort = (outbox: Outbox): MessagesPort => ({
  publish: async (_actor, topic, message) => {
    if (!isTopic(topic) || topic.startsWith('$') || topic.startsWith(`${outbox.topicPrefix}/`))
      throw new RunFault(
        'ValidationError',
        `topicTemplate must be a topic without wildcards that does not begin with $ or ${outbox.topicPrefix}/`,
      );
    if (Buffer.byteLength(message) > MAX_BYTES)
      throw new RunFault('PayloadTooLarge', `A message must have at most ${MAX_BYTES} bytes`);
    if (!outbox.send(topic, message)) throw new RunFault('Unavailable', UNSENT);
  },
});
