import { applyDecorators } from '@nestjs/common';
import { Column, ForeignKey, Index } from 'typeorm';
import {
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Maximum size of a single upload in the supported stores: 5 GiB. */
export const MAX_FILE_BYTES = 5 * 1024 ** 3;

export const FILE_TYPES = ['file', 'directory'] as const;
export type FileType = (typeof FILE_TYPES)[number];
const FILE_STATUSES = ['pending', 'moving', 'deleting', 'completed'] as const;
const AUTHOR_TYPES = ['flow', 'user', 'device', 'apiToken', 'notebook'] as const;

const FILE_DIMENSIONS: JsonSchema = {
  title: 'FileDimensions',
  type: 'object',
  description: 'Dimensions of an image in pixels, as set by the uploader.',
  properties: {
    height: { type: 'number', minimum: 0, description: 'Height in pixels.', example: 600 },
    width: { type: 'number', minimum: 0, description: 'Width in pixels.', example: 800 },
  },
};
export interface FileDimensions {
  height?: number;
  width?: number;
}

/** Indexes of a table of files. Names of directories that are being deleted are available again. */
export const FileIndexes = (table: string): ClassDecorator =>
  applyDecorators(
    Index(`${table}_path`, ['applicationId', 'parentId', 'name'], {
      unique: true,
      where: `status <> 'deleting'`,
    }),
    Index(`${table}_in_directory`, ['applicationId', 'parentId', 'name', 'id']),
    Index(`${table}_directories`, ['applicationId', 'parentId'], { where: `type = 'directory'` }),
    Index(`${table}_deleting`, ['applicationId'], { where: `status = 'deleting'` }),
    Index(`${table}_by_application`, ['applicationId', 'id']),
    Index(`${table}_by_name`, ['applicationId', 'name', 'id']),
    Index(`${table}_by_type`, ['applicationId', 'type', 'id']),
    Index(`${table}_by_creation`, ['applicationId', 'creationDate', 'id']),
    Index(`${table}_unhashed`, { synchronize: false }),
    Index(`${table}_by_change`, ['applicationId', 'lastUpdated', 'id']),
  );

/**
 * A file or directory of an application: a name in a tree. A row refers to its directory by ID, so moving a directory
 * changes one row regardless of its contents. Content is a blob under a generated key and changes with the row.
 */
export abstract class StoredFile extends Resource {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the file.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 1024,
    description:
      'Name, unique in its directory and case-sensitive: at most 1,024 bytes of UTF-8, without `/`, `\\` and control characters. Stored in Unicode normalization form NFC.',
    example: 'pump.png',
  })
  name: string;

  @ChoiceField(FILE_TYPES, {
    title: 'FileType',
    required: true,
    description: 'Whether this is a file or a directory.',
    example: 'file',
  })
  type: FileType;

  @ChoiceField(FILE_STATUSES, {
    title: 'FileStatus',
    required: true,
    description:
      'A file is `pending` until its content is uploaded. A directory is `deleting` while its contents are deleted. `moving` is never used, because moves are atomic.',
    example: 'completed',
  })
  status: (typeof FILE_STATUSES)[number];

  @StringField({
    required: true,
    column: false,
    maxLength: 1024,
    description: 'Path of the directory that contains the file; begins and ends with `/`.',
    example: '/images/',
  })
  parentDirectory: string;

  @StringField({ maxLength: 1024, description: 'Media type of the content.', example: 'image/png' })
  contentType?: string;

  @IntegerField({
    minimum: 0,
    maximum: MAX_FILE_BYTES,
    description: 'Size in bytes; the announced size until the content is uploaded.',
    example: 500,
  })
  fileSize?: number;

  @JsonField(FILE_DIMENSIONS, {
    description: 'Dimensions of an image, as set by the uploader.',
    example: { height: 600, width: 800 },
  })
  fileDimensions?: FileDimensions;

  @StringField({
    maxLength: 255,
    description:
      'MD5 of the content, 32 hexadecimal digits. Content that the S3 store keeps in parts has its entity tag instead, as has, until its MD5 is computed, content uploaded to an earlier version of the platform.',
    example: '5d41402abc4b2a76b9719d911017c592',
  })
  s3etag?: string;

  @StringField({
    column: false,
    description:
      'URL of the content. For a private file, a signed link: anyone with the link can read the content, and it is valid for `urlTTL` seconds, 900 by default. The URL of a pending public file returns `204`; pending private files have none.',
    example: 'https://files.example.com/files/575ec8687ae143cd83dc4a97/images/pump.png',
  })
  url?: string;

  @IdField({ description: 'ID of the author who created the file.' })
  authorId?: string;

  @ChoiceField(AUTHOR_TYPES, { title: 'CallerType', description: 'Type of the author.', example: 'user' })
  authorType?: (typeof AUTHOR_TYPES)[number];

  @IdField({
    column: false,
    sampled: false,
    description: 'ID of the target directory of a file with the status `moving`.',
  })
  moveIntoId?: string;

  /** ID of the directory; empty for the root. */
  @Column({ type: 'text' })
  parentId: string;

  /** Key of the content's blob; `null` before the first upload. */
  @Column({ type: 'text', nullable: true })
  contentKey: string | null;
}
