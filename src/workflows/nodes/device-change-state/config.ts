import { ConfigFault, needed } from '../config-fault.js';
import { choice, embeddedNode, OPTIONAL_PATH, TEMPLATE } from '../embedded-node.js';
import { checkJsonTemplate, checkOptionalTarget, checkPath, checkTemplate } from '../texts.js';

/** Reports state of the device that the workflow runs on. */
export interface DeviceChangeStateConfig {
  readonly attrDataMethod?: 'individualFields' | 'jsonTemplate' | 'payloadPath';
  /** The attributes, where they are given one by one. */
  readonly attrInfos?: readonly { readonly key: string; readonly valueTemplate: string }[];
  readonly attrJsonTemplate?: string;
  readonly attrPayloadPath?: string;
  readonly timeSourceType?: 'payloadTime' | 'now' | 'payloadPath';
  readonly timeSourcePath?: string;
  /** Where `{ success }` or `{ error }` goes; without it an error ends the run. */
  readonly resultPath?: string;
  /** The device, which can only be the own one. */
  readonly deviceId?: string;
  readonly deviceIdTemplateType?: 'stringTemplate' | 'jsonPath';
}

const OWN_DEVICE = /^(|deviceId|\{\{\s*deviceId\s*\}\})$/;

export const DEVICE_CHANGE_STATE = embeddedNode<DeviceChangeStateConfig>(
  'DeviceChangeStateNode',
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
      checkPath('timeSourcePath', needed('timeSourcePath', config.timeSourcePath));
    checkOptionalTarget('resultPath', config.resultPath);
  },
);

function checkAttributes({ attrDataMethod, ...config }: DeviceChangeStateConfig): void {
  if (attrDataMethod === 'jsonTemplate')
    checkJsonTemplate('attrJsonTemplate', needed('attrJsonTemplate', config.attrJsonTemplate));
  else if (attrDataMethod === 'payloadPath')
    checkPath('attrPayloadPath', needed('attrPayloadPath', config.attrPayloadPath));
  else
    needed('attrInfos', config.attrInfos).forEach(({ valueTemplate }, i) =>
      checkTemplate(`attrInfos.${i}.valueTemplate`, valueTemplate),
    );
}
