import { ApiProperty, ApiPropertyOptional, ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { JsonField, StringField, type JsonSchema } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { contentBytesSql, directorySql } from './file.columns.js';
import { FileIndexes, StoredFile } from './stored-file.js';

/** A file that anybody may read who has its address. */
@ApiSchema({ name: 'File', description: 'A file that anybody may read who has its address, or a directory.' })
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
  taken: { files_path: 'file.name is not available' },
  computed: [{ property: 'parentDirectory', kind: 'text', sql: directorySql('files') }],
});

@ApiSchema({ name: 'FilePost', description: 'A new file or directory.' })
export class FilePost extends PickType(File, ['name', 'type', 'contentType', 'fileSize', 'fileDimensions']) {
  @StringField({
    column: false,
    maxLength: 1024,
    default: '/',
    description:
      'The directory that it is to be in; it is made where it is missing. A path of at most 1,024 bytes and 100 parts.',
    example: '/images',
  })
  parentDirectory?: string;
}

@ApiSchema({ name: 'FilePatch', description: 'What is to take the place of the content of a file.' })
export class FilePatch extends PartialType(PickType(File, ['contentType', 'fileSize', 'fileDimensions'])) {}

const FORM_FIELDS: JsonSchema = {
  title: 'FileUploadFields',
  type: 'object',
  description: 'The fields of a form, to be sent as they are.',
  properties: {
    bucket: { type: 'string', description: 'The store.', example: 'blobs' },
    key: { type: 'string', description: 'What the content is stored as.', example: 'files/…' },
  },
  additionalProperties: { type: 'string' },
  example: { bucket: 'blobs', key: 'files/575ec8687ae143cd83dc4a97/575ec8687ae143cd83dc4a98/1' },
};

/** Where the content of a file is sent. */
@ApiSchema({
  name: 'FileUpload',
  description:
    'Where the content is sent within an hour: a POST to `url` as `multipart/form-data`, with all `fields` and then the content as `file`.',
})
export class FileUploadTarget {
  @ApiProperty({
    type: 'string',
    description: 'The address that takes it.',
    example: 'https://api.example.com/blobs',
  })
  url: string;

  @JsonField(FORM_FIELDS, { column: false, required: true, description: 'The fields of the form.' })
  fields: Record<string, string>;
}

@ApiSchema({
  name: 'FileUploadPostResponse',
  description: 'A file, and where its content is sent; a directory has none.',
})
export class FileUploadPostResponse extends File {
  @ApiPropertyOptional({ type: () => FileUploadTarget, description: 'Where the content is sent.' })
  upload?: FileUploadTarget;
}

export const Files = pageOf(File, 'Files', ['parentExists']);
