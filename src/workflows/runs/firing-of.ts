import type { Json } from '../graph/graph.js';
import type { DeviceFacts, Firing } from '../engine/root-payload.js';
import type { WaitingRun } from './handover.js';
import type { RunTrigger } from './run-trigger.js';

/** ID that stands for callers without an account. */
const NOBODY = '0'.repeat(24);
const OF_DEVICE = /^device(Id|Tag|Create)/;
const OF_PUBLIC: ReadonlySet<string> = new Set(['endpoint', 'inboundEmail', 'webhook']);
/** What causes the runs of triggers whose key names it. */
const NAMED_BY_KEY: ReadonlyMap<string, string> = new Map([
  ['integration', 'integration'],
  ['notebook', 'notebook'],
  ['resourceJobComplete', 'resourceJob'],
  ['resourceJobIteration', 'resourceJob'],
  ['resourceJobIterationTimeout', 'resourceJob'],
  ['timer', 'timer'],
]);

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
    triggerId: isOfDevice && deviceId ? deviceId : type === 'appFile' ? pathOf(data) : key,
    data,
    ...relayOf({ type, key, sourceType, sourceId }),
    ...(isOfDevice ? { device, meta, original } : {}),
    ...(experience === undefined ? {} : { experience: experience as Json }),
  };
}

/** Returns the path of a file, whose trigger can name a directory above it. */
function pathOf(data: unknown): string {
  const { file } = data as { file: { parentDirectory: string; name: string } };
  return file.parentDirectory + file.name;
}

/** Returns who caused a run, if known. */
function relayOf({
  type,
  key,
  sourceType,
  sourceId,
}: Pick<RunTrigger, 'type' | 'key' | 'sourceType' | 'sourceId'>): Pick<Firing, 'relayId' | 'relayType'> {
  if (sourceType !== undefined) return { relayType: sourceType, relayId: sourceId };
  if (OF_PUBLIC.has(type)) return { relayType: 'public', relayId: NOBODY };
  const named = NAMED_BY_KEY.get(type);
  if (named !== undefined) return { relayType: named, relayId: key };
  return OF_DEVICE.test(type) ? { relayType: 'device', relayId: sourceId } : {};
}
