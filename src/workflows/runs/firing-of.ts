import type { Json } from '../graph/graph.js';
import type { DeviceFacts, Firing } from '../engine/root-payload.js';
import type { WaitingRun } from './handover.js';
import type { RunTrigger } from './run-trigger.js';

/** ID that stands for callers without an account. */
const NOBODY = '0'.repeat(24);
const OF_DEVICE = /^device(Id|Tag|Create)/;
const OF_PUBLIC: ReadonlySet<string> = new Set(['endpoint', 'inboundEmail', 'webhook']);

/** Returns what the payload of a run is made of. */
export function firingOf(
  { type, key, data, sourceId, sourceType, time, meta, original, experience }: RunTrigger,
  { requestedAt, deviceId }: Pick<WaitingRun, 'requestedAt' | 'deviceId'>,
  device?: DeviceFacts,
): Firing {
  const isOfDevice = OF_DEVICE.test(type);
  return {
    time: time === undefined ? requestedAt : new Date(time),
    triggerType: type,
    triggerId: isOfDevice && deviceId ? deviceId : key,
    data,
    ...relayOf(type, sourceType, sourceId),
    ...(isOfDevice ? { device, meta, original } : {}),
    ...(experience === undefined ? {} : { experience: experience as Json }),
  };
}

/** Returns who caused a run, if known. */
function relayOf(
  type: string,
  sourceType: string | undefined,
  sourceId: string | undefined,
): Pick<Firing, 'relayId' | 'relayType'> {
  if (OF_PUBLIC.has(type) && sourceType === undefined) return { relayType: 'public', relayId: NOBODY };
  const relayType = sourceType ?? (OF_DEVICE.test(type) ? 'device' : undefined);
  return relayType === undefined ? {} : { relayType, relayId: sourceId };
}
