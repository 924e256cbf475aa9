import { ConfigFault, requireProperty } from '../config-fault.js';
import { choice, nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkJsonTemplate, checkOptionalTarget, checkPath, checkTemplate } from '../texts.js';

/** Reports state of the device that the workflow runs on. */
export interface DeviceChangeStateConfig {
  readonly attrDataMethod?: 'individualFields' | 'jsonTemplate' | 'payloadPath';
  /** Attributes, if set individually. */
  readonly attrInfos?: readonly { readonly key: string; readonly valueTemplate: string }[];
  readonly attrJsonTemplate?: string;
  readonly attrPayloadPath?: string;
  readonly timeSourceType?: 'payloadTime' | 'now' | 'payloadPath';
  readonly timeSourcePath?: string;
  /** Path of the result, `{ success }` or `{ error }`. If omitted, an error terminates the run. */
  readonly resultPath?: string;
  /** ID of the device; only the device itself is supported. */
  readonly deviceId?: string;
  readonly deviceIdTemplateType?: 'stringTemplate' | 'jsonPath';
}

const OWN_DEVICE = /^(|deviceId|\{\{\s*deviceId\s*\}\})$/;

export const config = nodeConfig<DeviceChangeStateConfig>(
  {
    properties: {
      attrDataMethod: choice('individualFields', 'jsonTemplate', 'payloadPath'),
      attrInfos: {
        type: 'array',
        maxItems: 1000,
        items: {
          type: 'object',
          required: ['key', 'valueTemplate'],
          properties: { key: { type: 'string', minLength: 1, maxLength: 255 }, valueTemplate: TEMPLATE },
        },
      },
      attrJsonTemplate: TEMPLATE,
      attrPayloadPath: OPTIONAL_PATH,
      timeSourceType: choice('payloadTime', 'now', 'payloadPath'),
      timeSourcePath: OPTIONAL_PATH,
      resultPath: OPTIONAL_PATH,
      deviceId: { type: 'string', maxLength: 1024 },
      deviceIdTemplateType: choice('stringTemplate', 'jsonPath'),
    },
  },
  (config) => {
    if (!OWN_DEVICE.test(config.deviceId ?? ''))
      throw new ConfigFault('deviceId', 'must be empty: Embedded workflows report state of their own device');
    checkAttributes(config);
    if (config.timeSourceType === 'payloadPath')
      checkPath('timeSourcePath', requireProperty('timeSourcePath', config.timeSourcePath));
    checkOptionalTarget('resultPath', config.resultPath);
  },
);

function checkAttributes({ attrDataMethod, ...config }: DeviceChangeStateConfig): void {
  if (attrDataMethod === 'jsonTemplate')
    checkJsonTemplate('attrJsonTemplate', requireProperty('attrJsonTemplate', config.attrJsonTemplate));
  else if (attrDataMethod === 'payloadPath')
    checkPath('attrPayloadPath', requireProperty('attrPayloadPath', config.attrPayloadPath));
  else
    requireProperty('attrInfos', config.attrInfos).forEach(({ valueTemplate }, i) =>
      checkTemplate(`attrInfos.${i}.valueTemplate`, valueTemplate),
    );
}
