import { TRIGGERS } from './bundle';
import {
  ALREADY_INITIALIZED,
  GENERAL_ERROR,
  NO_TRIGGER,
  NOT_INITIALIZED,
  STORAGE_SIZE_NOT_POSITIVE,
  SUCCESS,
} from './codes';
import { eea_get_device_id, eea_set_message_buffers } from './env';
import { parseJsonBytes } from './json';
import { tidy } from './memory';
import { ID_SIZE, isPlatformTopic, ownTopic, setDebugEnabled, setDeviceId, tellFailure } from './messages';
import { dataOf, firstPayload, setConnected } from './payloads';
import { append, clearQueue, dequeue, enqueue, Firing, setQueueCapacity } from './queue';
import { Run } from './run';
import { loadStorage, saveStorage, saveStorageAt, setStorageCapacity, setStorageInterval } from './storage';
import { dueTimer, resetTimers } from './timers';
import { topicMatches } from './topics';
import { ERRORS, EVERYTHING, setTraceLevel, trace, traces } from './trace';
import { hasTrigger, Trigger, TriggerKind, triggers } from './triggers';
import { decodeUtf8 } from './utf8';
import { Value } from './value';

let initialized: bool = false;
/** Buffers for topics (or IDs of direct triggers) and payloads, written by the host. */
let topicBuffer = new StaticArray<u8>(256);
let payloadBuffer = new StaticArray<u8>(4096);
/** Current run; the root from which garbage collection reaches everything that the run needs. */
let run: Run | null = null;
/** Whether the last run was started by a timer; if so, queued triggers precede the next timer. */
let timerFired: bool = false;

export function eea_config_set_trace_level(level: i32): i32 {
  setTraceLevel(level);
  return SUCCESS;
}

export function eea_config_set_debug_enabled(enabled: i32): i32 {
  setDebugEnabled(enabled != 0);
  return SUCCESS;
}

export function eea_config_set_message_buffer_lengths(topic: i32, payload: i32): i32 {
  topicBuffer = new StaticArray<u8>(topic);
  payloadBuffer = new StaticArray<u8>(payload);
  return giveBuffers();
}

export function eea_config_set_queue_size(bytes: i32): i32 {
  setQueueCapacity(bytes);
  return SUCCESS;
}

export function eea_config_set_storage_size(bytes: i32): i32 {
  if (bytes <= 0) return STORAGE_SIZE_NOT_POSITIVE;
  setStorageCapacity(bytes);
  return SUCCESS;
}

export function eea_config_set_storage_interval(milliseconds: i32): i32 {
  setStorageInterval(milliseconds);
  return SUCCESS;
}

export function eea_set_connection_status(status: i32): i32 {
  setConnected(status != 0);
  return SUCCESS;
}

/** Initializes the module: timers are due immediately, and startup triggers are queued for the first loops. */
export function eea_init(): i32 {
  if (initialized) return ALREADY_INITIALIZED;
  let code = giveBuffers();
  if (code == SUCCESS) code = readDeviceId();
  if (code == SUCCESS) code = loadStorage();
  if (code != SUCCESS) return code;
  initialized = true;
  timerFired = false;
  resetTimers();
  for (let i = 0; i < TRIGGERS; i++) {
    if (triggers[i].kind == TriggerKind.OnBoot) append(new Firing(triggers[i], '', new StaticArray<u8>(0)));
  }
  tidyBetweenRuns();
  return SUCCESS;
}

/**
 * Executes at most one workflow, alternating between due timers and the queue. Not reentrant, for example from
 * `eea_sleep`.
 */
export function eea_loop(tick: i64): i32 {
  if (!initialized) return NOT_INITIALIZED;
  if (run !== null) return GENERAL_ERROR;
  const code = runNext(tick);
  const saved = saveStorageAt(tick);
  return code != SUCCESS ? code : saved;
}

export function eea_message_received(topicLength: i32, payloadLength: i32): i32 {
  if (!holds(topicLength, payloadLength)) return GENERAL_ERROR;
  const topic = decodeUtf8(changetype<usize>(topicBuffer), topicLength);
  const payload = payloadBuffer.slice<StaticArray<u8>>(0, payloadLength);
  const code = receive(topic, payload);
  tidyBetweenRuns();
  return code;
}

export function eea_direct_trigger(idLength: i32, payloadLength: i32): i32 {
  if (!holds(idLength, payloadLength)) return GENERAL_ERROR;
  const id = decodeUtf8(changetype<usize>(topicBuffer), idLength);
  const payload = payloadBuffer.slice<StaticArray<u8>>(0, payloadLength);
  const code = fire(TriggerKind.Direct, id, id, payload);
  tidyBetweenRuns();
  return code;
}

/** Shuts down: saves the storage and clears the queue. */
export function eea_shutdown(): i32 {
  if (!initialized) return NOT_INITIALIZED;
  initialized = false;
  clearQueue();
  return saveStorage();
}

/** During a step, references are on the WebAssembly stack, which the garbage collector cannot see. */
function tidyBetweenRuns(): void {
  if (run === null) tidy();
}

function giveBuffers(): i32 {
  return eea_set_message_buffers(
    changetype<usize>(topicBuffer),
    topicBuffer.length,
    changetype<usize>(payloadBuffer),
    payloadBuffer.length,
  );
}

function readDeviceId(): i32 {
  const id = new StaticArray<u8>(ID_SIZE);
  const length = new StaticArray<u8>(1);
  const code = eea_get_device_id(changetype<usize>(id), ID_SIZE, changetype<usize>(length));
  if (code != SUCCESS) return code;
  if (<i32>length[0] > ID_SIZE) return GENERAL_ERROR;
  setDeviceId(decodeUtf8(changetype<usize>(id), length[0]));
  return SUCCESS;
}

/** Checks whether both lengths fit into the buffers. */
function holds(topicLength: i32, payloadLength: i32): bool {
  return <u32>topicLength <= <u32>topicBuffer.length && <u32>payloadLength <= <u32>payloadBuffer.length;
}

function receive(topic: string, payload: StaticArray<u8>): i32 {
  if (topic == ownTopic('command')) return fire(TriggerKind.DeviceCommand, '', topic, payload);
  if (topic == ownTopic('toAgent/virtualButton')) {
    if (!hasTrigger(TriggerKind.VirtualButton)) return NO_TRIGGER;
    const press = parseJsonBytes(changetype<usize>(payload), payload.length);
    if (press === null || !press.member('key').isText) return GENERAL_ERROR;
    return fire(TriggerKind.VirtualButton, press.member('key').asText, topic, payload);
  }
  return isPlatformTopic(topic) ? NO_TRIGGER : fire(TriggerKind.MqttTopic, topic, topic, payload);
}

/** Queues a run of each trigger of this kind that matches the key. */
function fire(kind: TriggerKind, key: string, topic: string, payload: StaticArray<u8>): i32 {
  let found = false;
  for (let i = 0; i < TRIGGERS; i++) {
    const trigger = triggers[i];
    if (trigger.kind != kind || !listens(trigger, key)) continue;
    if (!initialized) return NOT_INITIALIZED;
    found = true;
    if (enqueue(new Firing(trigger, topic, payload))) continue;
    trace(ERRORS, 'the queue is full');
    return GENERAL_ERROR;
  }
  return found ? SUCCESS : NO_TRIGGER;
}

function listens(trigger: Trigger, key: string): bool {
  if (trigger.kind == TriggerKind.DeviceCommand) return true;
  return trigger.kind == TriggerKind.MqttTopic ? topicMatches(trigger.key, key) : trigger.key == key;
}

function runNext(tick: i64): i32 {
  let firing = timerFired ? dequeue() : null;
  const timer = firing === null ? dueTimer(tick) : null;
  timerFired = timer !== null;
  if (timer !== null) return start(timer, null, tick);
  if (firing === null) firing = dequeue();
  return firing === null ? SUCCESS : start(firing.trigger, firing, tick);
}

function start(trigger: Trigger, firing: Firing | null, tick: i64): i32 {
  const data = dataOf(firing, trigger.kind);
  const started = new Run(trigger, firstPayload(trigger, firing, data, tick));
  run = started;
  if (data.isUndefined) started.fail('InvalidJsonError', 'the message is not valid JSON for its trigger');
  else if (started.execute()) {
    run = null;
    return SUCCESS;
  }
  tellFailure(started);
  run = null;
  return started.code;
}
