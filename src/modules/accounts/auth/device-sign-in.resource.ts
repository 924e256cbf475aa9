import { ApiSchema } from '@nestjs/swagger';
import { DEVICE_SCOPES } from '../../../platform/access/scope-names.js';
import {
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { LONGEST_TTL_SECONDS } from '../../../platform/access/token-signer.js';
import { FILTER_TYPES, TOPIC_EXAMPLE, TOPICS } from '../../keys/application-keys/application-key.resource.js';
import { DEVICE_CLASSES, type DeviceClass } from '../../devices/devices/device.schemas.js';

@ApiSchema({
  name: 'DeviceCredentials',
  description:
    'A device, and an access key of its application that it may use; without one, the certificate that the client proved itself with counts.',
})
export class DeviceCredentials {
  @IdField({ column: false, required: true, description: 'The device.' })
  deviceId: string;

  @StringField({
    column: false,
    maxLength: 255,
    description: 'The access key.',
    example: 'b1f6a7c0-5c43-4a52-9f0d-2a1d8f3e6c11',
  })
  key?: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 2048,
    description: "The key's secret.",
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
        description: 'What the token of a device may do.',
      },
    },
    {
      column: false,
      description: 'What the token may do; absent, everything that is for devices (`all.Device`).',
      example: ['device.sendState'],
    },
  )
  requestedScopes?: string[];

  @IntegerField({
    column: false,
    minimum: 0,
    maximum: LONGEST_TTL_SECONDS,
    description: 'How long the token lives, in seconds; 0 as long as one for which nothing is said.',
    default: 86400,
    example: 3600,
  })
  tokenTTL?: number;
}

@ApiSchema({ name: 'AuthedDevice', description: 'A device that is signed in.' })
export class AuthedDevice {
  @IdField({ column: false, required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @IdField({ column: false, required: true, description: 'The device.' })
  deviceId: string;

  @ChoiceField(DEVICE_CLASSES, { column: false, required: true, description: 'What it is.' })
  deviceClass: DeviceClass;

  @ChoiceField(['user', 'organization'], {
    column: false,
    required: true,
    description: 'Whether the application belongs to a user or to an organization.',
  })
  ownerType: 'user' | 'organization';

  @ChoiceField(FILTER_TYPES, {
    column: false,
    required: true,
    description: 'Which topics beside its own the key or certificate lets it use.',
  })
  filterType: (typeof FILTER_TYPES)[number];

  @JsonField(TOPICS, {
    column: false,
    required: true,
    description: 'Topics that may be, or may not be, published to.',
    example: TOPIC_EXAMPLE,
  })
  pubTopics: string[];

  @JsonField(TOPICS, {
    column: false,
    required: true,
    description: 'Topics that may be, or may not be, subscribed to.',
    example: TOPIC_EXAMPLE,
  })
  subTopics: string[];

  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    description: 'The token, to be sent as `Authorization: Bearer …`.',
    example: 'eyJhbGciOiJFUzI1NiJ9…',
  })
  token: string;
}
