/** Types of payloads. */
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

/** Payloads that the platform itself sends to workflows. They are counted but not billed. */
export const NONBILLABLE_PAYLOADS: readonly PayloadType[] = [
  'appFile',
  'dataTable',
  'deviceCreate',
  'event',
  'flowError',
  'notebook',
  'resourceJob',
];

/** Source or destination of a payload and its transport: `device.rest`, `user.rest`, `flow.flow`, `public.rest`. */
export type PayloadChannel =
  `${'apiToken' | 'device' | 'experienceUser' | 'flow' | 'public' | 'timer' | 'user'}.${'flow' | 'mqtt' | 'rest'}`;
