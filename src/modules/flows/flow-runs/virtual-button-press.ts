import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

/** A press of a virtual button. */
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
      description: "The key of the button's trigger.",
      example: 'V1StGXR8_Z5jdHi6B-myT',
    },
    payload: { description: 'The data that the workflow gets: any JSON.', example: { temp: 99 } },
    meta: { description: 'What is to be known of the press: any JSON.', example: { page: 'dashboard' } },
    flowVersion: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'The version that is to run: its name, `develop`, or `default` for the one that runs.',
      default: 'default',
      example: '1.4.0',
    },
    deviceId: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'The device that it is pressed on; of edge and embedded workflows.',
      example: ID_EXAMPLE,
    },
    deploymentId: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'The deployment that it is pressed in; of edge and embedded workflows.',
      example: ID_EXAMPLE,
    },
  },
};
