import { ApiProperty, ApiPropertyOptional, ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { ID_EXAMPLE, JsonField, StringField, type JsonSchema } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { contentBytesSql, directorySql } from './file.columns.js';
import { FileIndexes, StoredFile } from './stored-file.js';
import { exampleId } from '../../../platform/fields/example-id.js';

/** A file that can be read by everyone with its URL. */
@ApiSchema({
  name: 'ApplicationFile',
  description: 'A public file, which can be read by everyone with its URL, or a directory.',
})
@Entity('files')
@FileIndexes('files')
export class File extends StoredFile {}

export const FILES = holding(File, {
  table: 'files',
  title: 'File',
  audited: 'File',
  count: 'fileCount',
  limit: 'file',
  bytes: { kind: 'fileBytes', sql: contentBytesSql('r') },
  conflictMessages: { files_path: 'file.name is not available' },
  computed: [{ property: 'parentDirectory', kind: 'text', sql: directorySql('files') }],
});

@ApiSchema({ name: 'FilePost', description: 'Properties of a new file or directory.' })
export class FilePost extends PickType(File, ['name', 'type', 'contentType', 'fileSize', 'fileDimensions']) {
  @StringField({
    column: false,
    maxLength: 1024,
    default: '/',
    description: 'Path of the directory, at most 1,024 bytes and 100 parts. Created if it does not exist.',
    example: '/images',
  })
  parentDirectory?: string;
}

@ApiSchema({ name: 'FilePatch', description: 'Properties of new content for a file.' })
export class FilePatch extends PartialType(PickType(File, ['contentType', 'fileSize', 'fileDimensions'])) {}

const FORM_FIELDS: JsonSchema = {
  title: 'FileUploadFields',
  type: 'object',
  description: 'Fields of the form, to be sent unchanged.',
  properties: {
    bucket: { type: 'string', description: 'Name of the bucket in the store.', example: 'blobs' },
    key: { type: 'string', description: 'Key of the content in the store.', example: 'files/…' },
  },
  additionalProperties: { type: 'string' },
  example: { bucket: 'blobs', key: `files/${ID_EXAMPLE}/${exampleId('file')}/1` },
};

/** Target for the upload of a file's content. */
@ApiSchema({
  name: 'FileUpload',
  description:
    'Target for the upload, valid for one hour: send a POST request to `url` as `multipart/form-data`, with all `fields` and then the content as `file`.',
})
export class FileUploadTarget {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    description: 'URL to send the form to. Valid for one hour.',
    example: 'https://api.example.com/blobs',
  })
  url: string;

  @JsonField(FORM_FIELDS, {
    column: false,
    required: true,
    description: 'Fields of the form, to be sent unchanged.',
  })
  fields: Record<string, string>;
}

@ApiSchema({
  name: 'FileUploadPostResponse',
  description: 'A file with the target for the upload of its content, or a directory.',
})
export class FileUploadPostResponse extends File {
  @ApiPropertyOptional({
    type: () => FileUploadTarget,
    description: 'Target for the upload; absent for directories.',
  })
  upload?: FileUploadTarget;
}

export const Files = pageOf(File, 'Files', ['parentExists']);
