import { ApiSchema } from '@nestjs/swagger';
import { DEVICE_SCOPES } from '../../../platform/access/scope-names.js';
import {
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { MAX_TTL_SECONDS } from '../../../platform/access/token-signer.js';
import { FILTER_TYPES, TOPIC_EXAMPLE, TOPICS } from '../../keys/application-keys/application-key.resource.js';
import { DEVICE_CLASSES, type DeviceClass } from '../../devices/devices/device.schemas.js';

@ApiSchema({
  name: 'DeviceCredentials',
  description:
    'A device and an access key of its application. Without a key, the device is authenticated by the client certificate of the connection.',
})
export class DeviceCredentials {
  @IdField({ column: false, required: true, description: 'ID of the device that signs in.' })
  deviceId: string;

  @StringField({
    column: false,
    maxLength: 255,
    description: 'Access key of the application.',
    example: 'b1f6a7c0-5c43-4a52-9f0d-2a1d8f3e6c11',
  })
  key?: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 2048,
    description: 'Secret of the access key.',
    example: 'Zx8…',
  })
  secret?: string;

  @JsonField(
    {
      type: 'array',
      uniqueItems: true,
      maxItems: DEVICE_SCOPES.length,
      items: {
        title: 'DeviceScope',
        type: 'string',
        enum: DEVICE_SCOPES,
        description: 'Scope of a device token.',
      },
    },
    {
      column: false,
      description: 'Scopes of the token. Default: all operations for devices (`all.Device`).',
      example: ['device.sendState'],
    },
  )
  requestedScopes?: string[];

  @IntegerField({
    column: false,
    minimum: 0,
    maximum: MAX_TTL_SECONDS,
    description: 'Lifetime of the token, in seconds; 0 is the same as the default.',
    default: 86400,
    example: 3600,
  })
  tokenTTL?: number;
}

@ApiSchema({ name: 'AuthedDevice', description: 'A signed-in device.' })
export class AuthedDevice {
  @IdField({
    column: false,
    required: true,
    description: 'ID of the application that the device belongs to.',
  })
  applicationId: string;

  @IdField({ column: false, required: true, description: 'ID of the device that signed in.' })
  deviceId: string;

  @ChoiceField(DEVICE_CLASSES, { column: false, required: true, description: 'Class of the device.' })
  deviceClass: DeviceClass;

  @ChoiceField(['user', 'organization'], {
    column: false,
    required: true,
    description: 'Type of the owner of the application.',
  })
  ownerType: 'user' | 'organization';

  @ChoiceField(FILTER_TYPES, {
    column: false,
    required: true,
    description:
      'Which topics the device can use in addition to its own, as determined by the key or certificate.',
  })
  filterType: (typeof FILTER_TYPES)[number];

  @JsonField(TOPICS, {
    column: false,
    required: true,
    description: 'Topics that the device can or cannot publish to, depending on `filterType`.',
    example: TOPIC_EXAMPLE,
  })
  pubTopics: string[];

  @JsonField(TOPICS, {
    column: false,
    required: true,
    description: 'Topics that the device can or cannot subscribe to, depending on `filterType`.',
    example: TOPIC_EXAMPLE,
  })
  subTopics: string[];

  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    description: 'Session token, to be sent as `Authorization: Bearer …`.',
    example: 'eyJhbGciOiJFUzI1NiJ9…',
  })
  token: string;
}
