/** Run whose debug messages are sent. Runs on devices have no ID. */
export interface DebuggedRun {
  readonly id?: string;
  readonly applicationId: string;
  readonly flowId: string;
  readonly deviceId: string | null;
}

/** Channels of the debug messages of a workflow, of an application, and of runs that a device has started. */
export const flowDebugChannel = (flowId: string): string => `debug:flow:${flowId}`;
export const applicationDebugChannel = (applicationId: string): string =>
  `debug:application:${applicationId}`;
export const deviceDebugChannel = (deviceId: string): string => `debug:device:${deviceId}`;
/** Messages without payload, for the device itself: payloads contain globals and other data that it may not read. */
export const ownDeviceDebugChannel = (deviceId: string): string => `debug:own-device:${deviceId}`;

/** Returns the channels of a run: those of messages with payload, and those of messages without. */
export function channelsOf({ applicationId, flowId, deviceId }: DebuggedRun): {
  complete: string[];
  bare: string[];
} {
  const complete = [flowDebugChannel(flowId), applicationDebugChannel(applicationId)];
  if (deviceId === null) return { complete, bare: [] };
  return { complete: [...complete, deviceDebugChannel(deviceId)], bare: [ownDeviceDebugChannel(deviceId)] };
}
