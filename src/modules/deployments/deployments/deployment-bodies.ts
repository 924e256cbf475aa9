import { IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { DEVICE_IDS, DEVICE_TAGS } from '../../devices/devices/device-selection.js';
import type { TagFilter } from '../../devices/devices/device.schemas.js';

const LONGEST_VERSION = 255;

/** What devices get, and which. */
export class ReleaseBody {
  @IdField({ required: true, column: false, description: 'The workflow.' })
  flowId: string;

  @StringField({
    required: true,
    nullable: true,
    column: false,
    maxLength: LONGEST_VERSION,
    description:
      'The name of its version, or `develop` for the one that is being developed; `null` or blank removes the workflow from the devices.',
    example: '1.4.0',
  })
  version: string | null;

  @JsonField(DEVICE_IDS, { column: false, description: 'The devices, with those of `deviceTags`.' })
  deviceIds?: string[];

  @JsonField(DEVICE_TAGS, {
    column: false,
    description:
      'Tags of devices: those that have one of them, of which an absent part matches any. Devices of other classes are skipped.',
    example: [{ key: 'site', value: 'north' }],
  })
  deviceTags?: TagFilter[];
}

/** What devices lose. */
export class RemoveBody {
  @IdField({
    required: true,
    nullable: true,
    column: false,
    description: 'The workflow; `null` for all of the device.',
  })
  flowId: string | null;

  @IdField({
    required: true,
    nullable: true,
    column: false,
    description: 'The device; `null` for all that have the workflow.',
  })
  deviceId: string | null;
}

/** What devices get in the place of what. */
export class ReplaceBody {
  @IdField({ required: true, column: false, description: 'The workflow.' })
  flowId: string;

  @StringField({
    required: true,
    column: false,
    minLength: 1,
    maxLength: LONGEST_VERSION,
    description: 'The version that devices are to run now.',
    example: '1.4.0',
  })
  oldVersion: string;

  @StringField({
    required: true,
    nullable: true,
    column: false,
    maxLength: LONGEST_VERSION,
    description:
      'The name of the version that they are to run from now on, or `develop`; `null` or blank removes the workflow from them.',
    example: '1.5.0',
  })
  newVersion: string | null;
}

const member = (schema: object, description: string, example: unknown) => ({
  ...schema,
  description,
  example,
});
const TEXT = { type: 'string', minLength: 1, maxLength: LONGEST_VERSION };

/** Text of at most 255 characters, or `null`, in a log. */
export const logText = (description: string, example: string, nullable = false) =>
  member(nullable ? { ...TEXT, nullable } : TEXT, description, example);

/** Members of a log's entry that those of both kinds have. */
export const LOG_MEMBERS = {
  sourceType: member(
    { type: 'string', enum: ['flow', 'user', 'device', 'apiToken', 'notebook'] },
    'Who did it; absent where it followed from a change of a workflow, a device or globals.',
    'user',
  ),
  sourceId: member({ type: 'string', pattern: '^[A-Fa-f\\d]{24}$' }, 'Their id.', '575ec8687ae143cd83dc4a97'),
  date: member({ type: 'string', format: 'date-time' }, 'When it happened.', '2026-06-13T04:00:00.000Z'),
  changeType: member(
    { type: 'string', enum: ['current', 'desired'] },
    'Whether what the device is to run changed, or what it says that it runs.',
    'desired',
  ),
  error: member({ type: 'string' }, 'Why it did not work.', 'The device has no room for it'),
};

/** How many entries a log keeps: the newest. */
export const MOST_LOGGED = 25;
