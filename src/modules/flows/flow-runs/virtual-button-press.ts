import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { anySchema } from '../../../platform/fields/schema.js';

/** Press of a virtual button. */
export interface VirtualButtonPress {
  key: string;
  payload?: unknown;
  meta?: unknown;
  flowVersion?: string;
  deviceId?: string;
  deploymentId?: string;
}

export const VIRTUAL_BUTTON_PRESS: JsonSchema = {
  title: 'VirtualButtonPress',
  type: 'object',
  additionalProperties: false,
  required: ['key'],
  description: 'A press of a virtual button.',
  properties: {
    key: {
      type: 'string',
      description: "Key of the button's trigger.",
      example: 'V1StGXR8_Z5jdHi6B-myT',
    },
    payload: anySchema(
      'Payload that the workflow receives: any JSON value. By default that of the button, in `meta.payload`, or an empty object.',
      { temp: 99 },
    ),
    meta: anySchema('Additional data about the press: any JSON value.', { page: 'dashboard' }),
    flowVersion: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Version to run: its name, `develop`, or `default` for the default version.',
      default: 'default',
      example: '1.4.0',
    },
    deviceId: {
      type: 'string',
      pattern: ID_PATTERN,
      description:
        'ID of the device on which the button is pressed. Required for edge and embedded workflows.',
      example: ID_EXAMPLE,
    },
    deploymentId: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'ID of the deployment in which the button is pressed. Edge and embedded workflows only.',
      example: ID_EXAMPLE,
    },
  },
};
