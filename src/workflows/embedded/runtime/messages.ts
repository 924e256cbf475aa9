import { DEBUG, DEVICE_ID, STEP_STARTS, STEP_TABLE, TOPIC_PREFIX } from './bundle';
import { constant, text } from './constants';
import { eea_get_time, eea_send_message } from './env';
import { FlowFact, flowFact } from './flows';
import { writeJson } from './json';
import { isShort } from './memory';
import { Run } from './run';
import { ERRORS, EVERYTHING, trace, traces } from './trace';
import { decodeUtf8, encodeUtf8, lengthInUtf8 } from './utf8';
import { Value } from './value';

/** Length of the IDs of devices and deployments. */
export const ID_SIZE = 24;

/** Device ID supplied by the host; initially that of the bundle's device. */
let deviceId: string = decodeUtf8(DEVICE_ID, ID_SIZE);
let debugEnabled: bool = true;
/** Maximum payload size of the broker in bytes. The host's buffers limit received messages, not sent ones. */
const LONGEST_PAYLOAD: i32 = 262_144;

export function setDeviceId(id: string): void {
  deviceId = id;
}

export function ownDeviceId(): string {
  return deviceId;
}

export function setDebugEnabled(enabled: bool): void {
  debugEnabled = enabled;
}

/** Returns the device's own topic with this name. */
export function ownTopic(name: string): string {
  return text(TOPIC_PREFIX) + '/' + deviceId + '/' + name;
}

/** Checks whether a topic belongs to the platform rather than to workflows. */
export function isPlatformTopic(topic: string): bool {
  return topic.startsWith(text(TOPIC_PREFIX) + '/');
}

export function encodedUtf8(text: string): StaticArray<u8> {
  const bytes = new StaticArray<u8>(lengthInUtf8(text));
  encodeUtf8(text, changetype<usize>(bytes));
  return bytes;
}

const TIME = memory.data<u64>([0]);
/** Latest time that a `Date` can represent. */
const LATEST: u64 = 8_640_000_000_000_000;

/** Returns the Unix time in milliseconds. Returns 0 if the host reports no time or an invalid one, such as -1. */
export function now(): f64 {
  store<u64>(TIME, 0);
  return eea_get_time(TIME) == 0 && load<u64>(TIME) <= LATEST ? <f64>load<u64>(TIME) : 0;
}

/** Sends a message. A node returns the result of this function unless it is 0. */
export function send(run: Run, topic: string, payload: string, qos: i32): i32 {
  if (isShort() || lengthInUtf8(payload) > LONGEST_PAYLOAD)
    return run.fail('RangeError', 'the message is longer than 256 KiB');
  const code = sendMessage(topic, payload, qos);
  return code == 0 ? 0 : run.refused('eea_send_message', code);
}

/** Reports attributes of the device with their time. */
export function sendState(run: Run, time: f64, data: Value): i32 {
  const state = Value.object().set('time', Value.number(time)).set('data', data);
  return send(run, ownTopic('state'), writeJson(state), 1);
}

/** Sends and traces a debug message of a node. */
export function debug(run: Run, message: string, payload: Value): i32 {
  if (traces(EVERYTHING)) trace(EVERYTHING, message + ' ' + writeJson(payload));
  if (!DEBUG || !debugEnabled) return 0;
  const code = sendDebug(debugMessage(run, Value.text(message), payload));
  return code == 0 ? 0 : run.refused('eea_send_message', code);
}

/** Reports why a run failed. */
export function tellFailure(run: Run): void {
  if (traces(ERRORS)) trace(ERRORS, failureText(run));
  if (!DEBUG || !debugEnabled) return;
  const message = debugMessage(run, Value.text(run.errorMessage), run.payload)
    .set(
      'error',
      Value.object().set('name', Value.text(run.errorName)).set('message', Value.text(run.errorMessage)),
    )
    .set('nodeId', nodeId(run.step));
  sendDebug(message);
}

function failureText(run: Run): string {
  const node = nodeId(run.step);
  return (
    flowFact(run.trigger.flow, FlowFact.Name).asText +
    (node.isText ? ', node ' + node.asText : '') +
    ': ' +
    run.errorName +
    ': ' +
    run.errorMessage
  );
}

function sendMessage(topic: string, payload: string, qos: i32): i32 {
  const topicBytes = encodedUtf8(topic);
  const bytes = encodedUtf8(payload);
  return eea_send_message(
    changetype<usize>(topicBytes),
    topicBytes.length,
    changetype<usize>(bytes),
    bytes.length,
    qos,
  );
}

/** Sends a debug message. Omits the payload if the message is too long, and sends nothing if it is still too long. */
function sendDebug(message: Value): i32 {
  let json = writeJson(Value.list([message]));
  if (lengthInUtf8(json) > LONGEST_PAYLOAD) {
    message.set('payload', Value.text('(too long for a debug message)'));
    json = writeJson(Value.list([message]));
  }
  if (isShort()) return 0;
  if (lengthInUtf8(json) <= LONGEST_PAYLOAD) return sendMessage(ownTopic('fromAgent/debug'), json, 0);
  trace(ERRORS, 'a debug message is longer than 256 KiB');
  return 0;
}

function debugMessage(run: Run, message: Value, payload: Value): Value {
  const nodes: Array<Value> = [];
  let trail = run.trail;
  while (trail !== null) {
    nodes.push(nodeId(trail.step));
    trail = trail.before;
  }
  return Value.object()
    .set('flowId', flowFact(run.trigger.flow, FlowFact.Id))
    .set('flowVersion', flowFact(run.trigger.flow, FlowFact.Version))
    .set('message', message)
    .set('payload', payload)
    .set('prevNodes', Value.list(nodes.reverse()))
    .set('sourceNode', nodeId(run.step))
    .set('time', Value.number(now()))
    .set('triggerUiIds', Value.list([Value.text(run.trigger.uiId)]));
}

/** Returns the ID of a step's node; null before the first step. */
function nodeId(step: i32): Value {
  return constant(step < 0 ? 0 : load<i32>(STEP_TABLE + (load<i32>(STEP_STARTS + (step << 2)) << 2)));
}
