import { faultOfTimer, MIN_EDGE_SECONDS } from './timer-times.js';
import { nanoid } from 'nanoid';
import { ID_PATTERN, NAME_PATTERN } from '../../lib/ids/ids.js';
import { isPlatformTopic, type ClassRules } from '../graph/class-rules.js';
import type { FlowClass, FlowTrigger } from '../graph/graph.js';
import {
  choice,
  flag,
  flags,
  list,
  number,
  seconds,
  text,
  type KeyedResource,
  type KeyRule,
  type Properties,
  type TriggerType,
} from './trigger-type.js';

const idOf = (id: KeyedResource): KeyRule => ({ id });
const fixed = (value: string): KeyRule => ({ fixed: value });
const like = (pattern: RegExp, form: string): KeyRule => ({ pattern, form });
/** Default key, which can be overridden so that a workflow can have several triggers of the type. */
const usually = (value: string): KeyRule => ({ fill: () => value });
/** Generated key that identifies the trigger, so that a button press or a call can address it. */
const identity: KeyRule = { fill: () => nanoid() };
/** Topic filter of subscriptions. Topics that begin with `$` are reserved for the broker. */
const TOPIC_FILTER = /^(?!\$)(?=.)(?:(?:[^+#/]*|\+)\/)*(?:[^+#/]*|\+|#)$/s;
const tag = like(/^[\w-]{0,255}\/.{0,255}$/s, 'a tag as key/value; either part can be empty');

const TRIGGER_ID: Properties = { triggerId: text(48) };
const DEVICE_STATE: Pick<TriggerType, 'classes' | 'names' | 'config' | 'meta'> = {
  classes: ['cloud'],
  names: ['deviceIdsTags', 'device', 'deviceTag'],
  config: {
    allowInvalid: flag,
    attributeBlacklist: list(100, { type: 'string', pattern: NAME_PATTERN }),
    attributeWhitelist: list(100, { type: 'string', pattern: NAME_PATTERN }),
    batchBehavior: choice('once', 'each'),
    maxAge: number,
    triggerOn: choice('batch', 'individual', 'both'),
  },
  meta: {
    allowedAttributeType: choice('attributeWhitelist', 'any', 'attributeBlacklist'),
    maxAgeToggle: flag,
    timeUnit: text(48),
  },
};
const INACTIVITY: Pick<TriggerType, 'classes' | 'names' | 'config'> = {
  classes: ['cloud'],
  names: ['deviceIdsTagsInactivity'],
  config: { seconds: { type: 'number', minimum: 1, maximum: 31_622_400 } },
};
const FILE_CHANGES = flags('directoryAdded', 'directoryRemoved', 'fileAdded', 'fileChanged', 'fileRemoved');

/** Returns a type whose triggers have no configuration. */
const plain = (classes: readonly FlowClass[], names: readonly string[], key: KeyRule): TriggerType => ({
  classes,
  names,
  key,
  meta: TRIGGER_ID,
});

function faultOfInterval(config: FlowTrigger['config'], { name }: ClassRules): string | undefined {
  if (config?.cron) return `config.cron is not valid for ${name} workflows.`;
  return config?.seconds === undefined ? `config.seconds is required for ${name} workflows.` : undefined;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** All trigger types, by name. */
export const TRIGGER_TYPES: Readonly<Record<string, TriggerType>> = {
  appFile: {
    classes: ['cloud'],
    names: ['appFile'],
    key: like(/^\//, 'a path that begins with /'),
    config: flags('create', 'delete', 'private', 'public', 'update'),
  },
  beckhoff: {
    classes: ['edge'],
    names: ['beckhoff'],
    key: identity,
    config: {
      configName: text(1024),
      cycleTimeMs: { type: 'integer', minimum: 10, maximum: 3_600_000 },
      localAdsPort: text(1024),
      localAmsNetId: text(1024),
      routerHost: text(1024),
      routerTcpPort: text(1024),
      subscriptions: list(100, { type: 'object', properties: { name: text(1024) } }),
      targetAdsPort: text(1024),
      targetAmsNetId: text(1024),
    },
  },
  customNodeStart: plain(['customNode'], ['customNodeStart'], fixed('customNodeStart')),
  dataTable: {
    classes: ['cloud'],
    names: ['dataTable'],
    key: idOf('dataTables'),
    config: flags('bulkInsert', 'delete', 'insert', 'update'),
  },
  deviceCommand: {
    ...plain(['edge', 'embedded'], ['deviceCommand'], usually('deviceCommand')),
    embedded: { kind: 2, key: 'deviceCommand' },
  },
  deviceCreate: plain(['cloud'], ['deviceCreate'], usually('/')),
  deviceId: { ...DEVICE_STATE, key: idOf('devices') },
  deviceIdConnect: plain(['cloud'], ['deviceIdsTagsConnect'], idOf('devices')),
  deviceIdDisconnect: plain(['cloud'], ['deviceIdsTagsDisconnect'], idOf('devices')),
  deviceIdInactivity: { ...INACTIVITY, key: idOf('devices') },
  deviceTag: { ...DEVICE_STATE, key: tag },
  deviceTagConnect: plain(['cloud'], ['deviceIdsTagsConnect'], tag),
  deviceTagDisconnect: plain(['cloud'], ['deviceIdsTagsDisconnect'], tag),
  deviceTagInactivity: { ...INACTIVITY, key: tag },
  direct: { classes: ['embedded'], names: ['direct'], key: identity, embedded: { kind: 4 } },
  // In a cloud workflow, matches endpoints of the version in `experienceVersion`.
  endpoint: {
    classes: ['cloud', 'experience'],
    names: ['endpoint'],
    key: idOf('endpoints'),
    config: { experienceVersion: { type: 'string', minLength: 1, maxLength: 255 } },
  },
  event: {
    classes: ['cloud'],
    names: ['event'],
    key: like(/^(any|info|warning|error|critical)$/, 'one of any, info, warning, error, critical'),
    config: { ...flags('acknowledged', 'new', 'resolved'), subject: text(255) },
  },
  fileTail: {
    classes: ['edge'],
    names: ['fileTail'],
    key: identity,
    config: { byteLength: text(48), delimiter: text(48), encoding: text(48), path: text(1024) },
  },
  fileWatch: {
    classes: ['edge'],
    names: ['fileWatch'],
    key: identity,
    config: { ...FILE_CHANGES, path: text(1024) },
  },
  flowError: {
    classes: ['cloud', 'edge', 'experience'],
    names: ['flowError'],
    key: identity,
    config: { scope: choice('local', 'global', 'experience', 'cloud') },
  },
  inboundEmail: plain(['cloud'], ['inboundEmail'], usually('default')),
  integration: {
    classes: ['cloud'],
    names: ['azureEventHub', 'googlePubSub', 'mqtt', 'particle', 'sqs', 'websocket'],
    key: idOf('integrations'),
    config: flags('connect', 'disconnect', 'failure', 'message'),
    meta: TRIGGER_ID,
  },
  mqttTopic: {
    classes: ['cloud', 'edge', 'embedded'],
    names: ['mqtt'],
    key: like(TOPIC_FILTER, 'a topic that does not begin with $; + must be a whole level and # the last one'),
    // Names of the platform's own broker: the current one, and the one in imported workflows.
    config: { integrationId: choice('fieldwright', 'losant', 'local', 'external') },
    meta: TRIGGER_ID,
    check: ({ type, key }, context) =>
      isPlatformTopic(key, context)
        ? `the key of ${type} must not begin with ${context.topicPrefix}/`
        : undefined,
    embedded: { kind: 3 },
  },
  notebook: plain(['cloud'], ['notebook'], idOf('notebooks')),
  onBoot: {
    ...plain(['edge', 'embedded'], ['onBoot', 'eeaInit'], usually('onBoot')),
    embedded: { kind: 5, key: 'onBoot' },
  },
  onConnect: plain(['edge'], ['onConnect'], identity),
  onDisconnect: plain(['edge'], ['onDisconnect'], identity),
  onSync: {
    classes: ['edge'],
    names: ['onSync'],
    key: identity,
    config: { syncTypes: list(3, choice('application', 'device', 'peripheral'), 1) },
  },
  opcua: {
    classes: ['edge'],
    names: ['opcua'],
    key: identity,
    config: {
      cert: text(32_767),
      configName: text(1024),
      eventFilter: list(100, text(255)),
      identifier: text(255),
      nameSpace: text(255),
      password: text(1024),
      privateKey: text(32_767),
      samplingInterval: text(255),
      securityMode: text(255),
      securityPolicy: text(255),
      uri: { type: 'string', format: 'uri', maxLength: 1024 },
      username: text(1024),
    },
  },
  redis: {
    classes: ['edge'],
    names: ['redisTrigger'],
    key: identity,
    config: { ...FILE_CHANGES, host: text(1024), password: text(1024), port: text(16), topic: text(1024) },
  },
  request: {
    classes: ['edge'],
    names: ['request'],
    key: usually('request'),
    config: {
      method: choice('*', 'delete', 'get', 'options', 'patch', 'post', 'put'),
      route: text(1024),
    },
    meta: TRIGGER_ID,
  },
  resourceJobComplete: plain(['cloud'], ['resourceJobComplete'], idOf('resourceJobs')),
  resourceJobIteration: plain(['cloud'], ['resourceJobIteration'], idOf('resourceJobs')),
  resourceJobIterationTimeout: plain(['cloud'], ['resourceJobIterationTimeout'], idOf('resourceJobs')),
  serial: {
    classes: ['edge'],
    names: ['serial'],
    key: identity,
    config: {
      baudRate: number,
      byteLength: text(48),
      dataBits: number,
      delimiter: text(48),
      delimiterEncoding: text(48),
      encoding: text(48),
      parity: text(8),
      path: text(1024),
      rtscts: flag,
      stopBits: number,
      writeOnOpen: text(1024),
      writeOnOpenEncoding: text(48),
    },
    meta: { parseBy: choice('byteLength', 'delimiter') },
  },
  snmpTrap: {
    classes: ['edge'],
    names: ['snmpTrap'],
    key: identity,
    config: {
      snmpTrapConfig: {
        type: 'object',
        additionalProperties: false,
        properties: {
          community: text(1024),
          user: {
            type: 'object',
            additionalProperties: false,
            required: ['name', 'securityLevel'],
            properties: {
              authKey: text(1024),
              authMethod: choice('sha', 'md5'),
              encryptionKey: text(1024),
              encryptionMethod: choice('aes', 'des'),
              name: text(1024),
              securityLevel: choice('none', 'auth', 'authAndEncrypt'),
            },
          },
        },
      },
      udpPort: text(5),
    },
    required: ['udpPort', 'snmpTrapConfig'],
  },
  timer: {
    classes: ['cloud', 'edge', 'embedded'],
    names: ['timer'],
    key: identity,
    config: { cron: text(255), seconds, tz: text(255) },
    meta: {
      timeAt: text(255),
      timerTypeSelect: choice('cronWeekly', 'seconds', 'cron'),
      timezone: text(255),
      weekdays: list(7, number),
    },
    check: ({ config = {} }, { rules, flowClass }) => {
      if (!rules.allowsCron) return faultOfInterval(config, rules);
      if (flowClass === 'edge') return faultOfTimer(config, MIN_EDGE_SECONDS);
      return flowClass === 'cloud' ? faultOfTimer(config) : undefined;
    },
    embedded: { kind: 0, isPeriodic: true },
  },
  udp: plain(['edge'], ['udp'], like(/./s, 'a port')),
  virtualButton: {
    classes: ['cloud', 'customNode', 'edge', 'embedded', 'experience'],
    names: ['virtualButton'],
    key: identity,
    meta: {
      // Empty if no device is selected.
      deviceId: { type: 'string', pattern: `^$|${ID_PATTERN}`, nullable: true },
      groupId: text(48),
      payload: text(262_144),
    },
    check: ({ meta }) =>
      meta?.payload && !isJsonObject(meta.payload as string)
        ? 'meta.payload must be a JSON object as text'
        : undefined,
    embedded: { kind: 1 },
  },
  webhook: plain(['cloud'], ['webhook'], idOf('webhooks')),
};

/** Returns the type with a name, or `undefined`. */
export function triggerType(name: string): TriggerType | undefined {
  return Object.hasOwn(TRIGGER_TYPES, name) ? TRIGGER_TYPES[name] : undefined;
}
