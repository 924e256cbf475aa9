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

type PayloadSource =
  | 'apiToken'
  | 'device'
  | 'experienceUser'
  | 'flow'
  | 'integration'
  | 'notebook'
  | 'public'
  | 'resourceJob'
  | 'timer'
  | 'user';

/** Source or destination of a payload and its transport: `device.rest`, `user.rest`, `flow.flow`, `public.rest`. */
export type PayloadChannel = `${PayloadSource}.${'flow' | 'mqtt' | 'rest'}`;
