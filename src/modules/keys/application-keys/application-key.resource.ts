import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  AliasField,
  ChoiceField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
  NAME_PATTERN,
} from '../../../platform/fields/fields.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import { arrayOf, LOGGED_NAME } from './application-key.columns.js';

export const STATUSES = ['active', 'inactive'] as const;
export const FILTER_TYPES = ['all', 'whitelist', 'blacklist', 'none'] as const;
export const ADDRESS_FILTER_TYPES = ['all', 'whitelist', 'blacklist'] as const;

export const TOPICS: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } };
export const TOPIC_EXAMPLE = ['fieldwright/+/state'];
export const DEVICE_IDS: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN },
};
export const DEVICE_TAGS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'DeviceTag',
    type: 'object',
    additionalProperties: false,
    description: 'A tag that a device carries; a part that is absent matches any.',
    properties: {
      key: { type: 'string', pattern: NAME_PATTERN, description: "The tag's key.", example: 'site' },
      value: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: "The tag's value.",
        example: 'north',
      },
    },
  },
};
export type DeviceTags = { key?: string; value?: string }[];

/** What devices of an application connect and sign in with. */
@ApiSchema({ name: 'ApplicationKey', description: 'A key with which devices of the application sign in.' })
@Entity('application_keys')
@Index('application_keys_by_id', ['applicationId', 'id'])
@Index('application_keys_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('application_keys_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('application_keys_by_name', ['applicationId', 'name', 'id'])
@Index('application_keys_by_status', ['applicationId', 'status', 'id'])
@Index('application_keys_by_key', ['applicationId', 'key', 'id'])
export class ApplicationKey extends AuthoredResource {
  @AliasField('key')
  applicationKeyId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @Index('application_keys_key', { unique: true })
  @StringField({
    required: true,
    description: 'The public half, which devices sign in with.',
    example: 'b1f6a7c0-5c43-4a52-9f0d-2a1d8f3e6c11',
  })
  key: string;

  @StringField({ minLength: 1, maxLength: 255, description: 'Its name.', example: 'Pumps' })
  name?: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'The pumps of the north field' })
  description?: string;

  @ChoiceField(STATUSES, {
    required: true,
    description: 'An inactive key signs nobody in.',
  })
  status: (typeof STATUSES)[number];

  @JsonField(DEVICE_IDS, {
    required: true,
    description:
      'The only devices that may use it, with those of `deviceTags`; fixed when it is made. Where both are empty, all of the application.',
    example: [ID_EXAMPLE],
  })
  deviceIds: string[];

  @JsonField(DEVICE_TAGS, {
    required: true,
    description: 'The same, by tag.',
    example: [{ key: 'site', value: 'north' }],
  })
  deviceTags: DeviceTags;

  @ChoiceField(ADDRESS_FILTER_TYPES, {
    required: true,
    description: 'Which of `addresses` may use it: all there are, only those listed, or all but those.',
  })
  addressFilterType: (typeof ADDRESS_FILTER_TYPES)[number];

  @JsonField(
    { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 48 } },
    {
      required: true,
      description: 'IP addresses, or ranges such as `203.0.113.0/24`.',
      example: ['203.0.113.0/24'],
    },
  )
  addresses: string[];

  @ChoiceField(FILTER_TYPES, {
    required: true,
    description:
      'Which topics beside its own a device may use: `all`, those of `pubTopics` and `subTopics` (`whitelist`), all but those (`blacklist`), or `none`.',
  })
  filterType: (typeof FILTER_TYPES)[number];

  @JsonField(TOPICS, {
    required: true,
    description: 'Topics that may be, or may not be, published to.',
    example: TOPIC_EXAMPLE,
  })
  pubTopics: string[];

  @JsonField(TOPICS, {
    required: true,
    description: 'Topics that may be, or may not be, subscribed to.',
    example: TOPIC_EXAMPLE,
  })
  subTopics: string[];

  /** SHA-256 of the secret, hexadecimal. */
  @Column({ type: 'text' })
  secretHash: string;
}

export const APPLICATION_KEYS = holding(ApplicationKey, {
  table: 'application_keys',
  title: 'Application key',
  audited: { type: 'ApplicationKey', name: LOGGED_NAME },
  count: 'keyCount',
  limit: 'applicationkey',
});

/** The one answer that shows the secret. */
@ApiSchema({
  name: 'ApplicationKeyPostResponse',
  description: 'A new key, with its secret: it is shown here and nowhere else.',
})
export class ApplicationKeyPostResponse extends ApplicationKey {
  @StringField({
    secret: true,
    column: false,
    required: true,
    description: 'The secret half; keep it, it is not shown again.',
    example: 'Zx8…',
  })
  secret: string;
}

@ApiSchema({ name: 'ApplicationKeyPost', description: 'A new key.' })
export class ApplicationKeyPost extends PartialType(
  PickType(ApplicationKey, [
    'name',
    'description',
    'deviceIds',
    'deviceTags',
    'addresses',
    'pubTopics',
    'subTopics',
  ]),
) {
  @ChoiceField(ADDRESS_FILTER_TYPES, {
    column: false,
    description: 'Which of `addresses` may use it: all there are, only those listed, or all but those.',
    default: 'all',
  })
  addressFilterType?: (typeof ADDRESS_FILTER_TYPES)[number];

  @ChoiceField(FILTER_TYPES, {
    column: false,
    description: 'Which topics beside its own a device may use; unless it is said, none.',
    default: 'none',
    example: 'whitelist',
  })
  filterType?: (typeof FILTER_TYPES)[number];
}

@ApiSchema({ name: 'ApplicationKeyPatch', description: 'Changes to a key; what is absent stays as it is.' })
export class ApplicationKeyPatch extends PartialType(
  PickType(ApplicationKey, [
    'description',
    'status',
    'addressFilterType',
    'addresses',
    'filterType',
    'pubTopics',
    'subTopics',
  ]),
) {
  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    nullable: true,
    description: 'Its name; `null` takes it away.',
    example: 'Pumps',
  })
  name?: string | null;
}

export const ApplicationKeys = pageOf(ApplicationKey, 'ApplicationKeys', ['applicationId']);

/** What an advanced query may ask of the keys of an application. */
export const APPLICATION_KEY_QUERY: ListSpec['query'] = {
  name: 'AdvancedApplicationKeyQuery',
  example: { status: 'active', deviceTags: { site: 'north' } },
  fields: {
    id: { kind: 'id', column: 't.id' },
    creationDate: { kind: 'date', column: 't.creation_date' },
    lastUpdated: { kind: 'date', column: 't.last_updated' },
    status: { kind: 'string', column: 't.status', values: STATUSES },
    deviceIds: { kind: 'ids', column: arrayOf('t.device_ids') },
    deviceTags: { kind: 'tags', column: 't.device_tags' },
    key: { kind: 'string', column: 't.key' },
    name: { kind: 'string', column: 't.name' },
    description: { kind: 'string', column: 't.description' },
    filterType: { kind: 'string', column: 't.filter_type', values: FILTER_TYPES },
    pubTopics: { kind: 'strings', column: arrayOf('t.pub_topics') },
    subTopics: { kind: 'strings', column: arrayOf('t.sub_topics') },
    addressFilterType: { kind: 'string', column: 't.address_filter_type', values: ADDRESS_FILTER_TYPES },
    addresses: { kind: 'strings', column: arrayOf('t.addresses') },
  },
};
