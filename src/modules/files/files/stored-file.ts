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

/** What a store takes in one upload: 5 GiB. */
export const MOST_FILE_BYTES = 5 * 1024 ** 3;

export const FILE_TYPES = ['file', 'directory'] as const;
export type FileType = (typeof FILE_TYPES)[number];
const FILE_STATUSES = ['pending', 'moving', 'deleting', 'completed'] as const;
const AUTHOR_TYPES = ['flow', 'user', 'device', 'apiToken', 'notebook'] as const;

const FILE_DIMENSIONS: JsonSchema = {
  title: 'FileDimensions',
  type: 'object',
  description: 'The size of an image in pixels, as its uploader says.',
  properties: {
    height: { type: 'number', minimum: 0, description: 'Its height.', example: 600 },
    width: { type: 'number', minimum: 0, description: 'Its width.', example: 800 },
  },
};
export interface FileDimensions {
  height?: number;
  width?: number;
}

/** The indexes of a table of files. Of what is being deleted the name is free again. */
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
    Index(`${table}_by_change`, ['applicationId', 'lastUpdated', 'id']),
  );

/**
 * A file or directory of an application: a name in a tree. A row names its directory by id, so a directory moves with one
 * row, whatever it holds. Content is a blob under a key that nobody chooses, and what is seen of it changes with the row.
 */
export abstract class StoredFile extends Resource {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 1024,
    description:
      'Its name, unique in its directory: at most 1,024 bytes in UTF-8, without `/`, `\\` and control characters. It is kept in the normal form NFC, and upper and lower case differ.',
    example: 'pump.png',
  })
  name: string;

  @ChoiceField(FILE_TYPES, { required: true, description: 'What it is.', example: 'file' })
  type: FileType;

  @ChoiceField(FILE_STATUSES, {
    required: true,
    description:
      'A file is `pending` until its content has come. A directory is `deleting` while what it holds is removed. Nothing is ever `moving`: that is done at once.',
    example: 'completed',
  })
  status: (typeof FILE_STATUSES)[number];

  @StringField({
    required: true,
    column: false,
    maxLength: 1024,
    description: 'The directory that it is in, a path that begins and ends with `/`.',
    example: '/images/',
  })
  parentDirectory: string;

  @StringField({ maxLength: 1024, description: 'The type of its content.', example: 'image/png' })
  contentType?: string;

  @IntegerField({
    minimum: 0,
    maximum: MOST_FILE_BYTES,
    description: 'Its size in bytes; until its content has come, as it was announced.',
    example: 500,
  })
  fileSize?: number;

  @JsonField(FILE_DIMENSIONS, {
    description: 'The size of an image, as its uploader says.',
    example: { height: 600, width: 800 },
  })
  fileDimensions?: FileDimensions;

  @StringField({
    maxLength: 255,
    description: 'Another for another content.',
    example: '"5d41402abc4b2a76b9719d911017c592"',
  })
  s3etag?: string;

  @StringField({
    column: false,
    description: 'Where its content is read.',
    example: 'https://files.example.com/files/575ec8687ae143cd83dc4a97/images/pump.png',
  })
  url?: string;

  @IdField({ description: 'Who made it.' })
  authorId?: string;

  @ChoiceField(AUTHOR_TYPES, { description: 'What they are.', example: 'user' })
  authorType?: (typeof AUTHOR_TYPES)[number];

  @IdField({ column: false, description: 'Of what is `moving`, the directory that it moves into.' })
  moveIntoId?: string;

  /** The directory that it is in; empty for the root. */
  @Column({ type: 'text' })
  parentId: string;

  /** The blob that is its content; none before the first one has come. */
  @Column({ type: 'text', nullable: true })
  contentKey: string | null;
}
