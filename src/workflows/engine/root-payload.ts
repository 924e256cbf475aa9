import { PROTOTYPE_NAMES } from '../../lib/json/json.js';
import type { FlowGlobal, Json } from '../graph/graph.js';
import type { Program } from './program.js';

/** Cause of a run. */
export interface Firing {
  /** When the trigger fired; for states of devices, the time of the report. */
  readonly time: Date;
  readonly triggerType: string;
  /** Key of the trigger, or the ID of the source if the type has another one, such as the path of a file. */
  readonly triggerId: string;
  /** Defaults to an empty object. */
  readonly data?: unknown;
  /** Who caused the run, if known, such as `device`. */
  readonly relayType?: string;
  readonly relayId?: string;
  /** Device of the trigger. Only triggers of states, connections and inactivity add it to the payload. */
  readonly device?: DeviceFacts;
  /** Metadata of the reported state. */
  readonly meta?: unknown;
  /** Reported text that is no valid state; `data` is then `null`. */
  readonly original?: string;
  /** Endpoint, user and version of a request to an experience. */
  readonly experience?: Json;
}

/** Device as stored. */
export interface DeviceFacts {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly attributes: readonly (Json & { readonly name: string })[];
}

const DEVICE_TRIGGER = /^device(Id|Tag)(Connect|Disconnect|Inactivity)?$/;

/** Returns the payload that a run starts with. */
export function rootPayload(program: Program, firing: Firing): Record<string, unknown> {
  const { time, triggerType, data = {}, device, meta, original, experience, relayType, relayId } = firing;
  const { applicationId, applicationName, flowId, flowName, flowVersion, globals } = program;
  const isOfDevice = DEVICE_TRIGGER.test(triggerType);
  const payload: Record<string, unknown> = {
    time,
    data,
    applicationId,
    applicationName,
    flowId,
    flowName,
    flowVersion,
    triggerId: isOfDevice && device ? device.id : firing.triggerId,
    triggerType,
    globals,
  };
  if (relayType !== undefined) payload.relayType = relayType;
  if (relayId !== undefined) payload.relayId = relayId;
  if (isOfDevice && device) Object.assign(payload, deviceMembers(device));
  if (meta !== undefined) payload.meta = meta;
  if (original !== undefined) payload.original = original;
  if (experience !== undefined) payload.experience = experience;
  return payload;
}

function deviceMembers({ tags, attributes, ...device }: DeviceFacts): Json {
  const values = tagsByKey(tags);
  const byName = Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute]));
  return {
    deviceName: device.name,
    deviceTags: values,
    device: { ...device, tags: values, attributes: byName },
  };
}

/** Returns the values of tags by key. */
export function tagsByKey(tags: DeviceFacts['tags']): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, string[]>();
  for (const { key, value } of tags) values.set(key, [...(values.get(key) ?? []), value]);
  return Object.fromEntries(values);
}

/** Returns the values of globals by key. Later lists override earlier ones. Values that are no JSON are omitted. */
export function mergedGlobals(...lists: readonly (readonly FlowGlobal[])[]): Json {
  const values = new Map<string, unknown>();
  for (const { key, json } of lists.flat()) {
    if (PROTOTYPE_NAMES.has(key)) continue;
    try {
      values.set(key, JSON.parse(json));
    } catch {
      // Rows from before globals were checked.
    }
  }
  return Object.fromEntries(values);
}
