/** What is counted as a payload, by what it is of. */
export const PAYLOAD_TYPES = [
  'appFile',
  'dataTable',
  'deviceCommand',
  'deviceConnect',
  'deviceCreate',
  'deviceDisconnect',
  'deviceState',
  'endpoint',
  'event',
  'flowError',
  'inboundEmail',
  'integration',
  'mqttIn',
  'mqttOut',
  'notebook',
  'resourceJob',
  'timer',
  'virtualButton',
  'webhook',
] as const;
export type PayloadType = (typeof PAYLOAD_TYPES)[number];

/** What the platform tells workflows of itself is counted, and billed to nobody. */
export const NONBILLABLE_PAYLOADS: readonly PayloadType[] = [
  'appFile',
  'dataTable',
  'deviceCreate',
  'event',
  'flowError',
  'notebook',
  'resourceJob',
];

/** Where a payload came from or goes to, and on which way: `device.rest`, `user.rest`, `flow.flow`, `public.rest`. */
export type PayloadChannel =
  `${'apiToken' | 'device' | 'experienceUser' | 'flow' | 'public' | 'timer' | 'user'}.${'flow' | 'mqtt' | 'rest'}`;
