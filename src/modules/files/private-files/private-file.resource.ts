import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { contentBytesSql, directorySql } from '../files/file.columns.js';
import { FileUploadTarget } from '../files/file.resource.js';
import { FileIndexes, StoredFile } from '../files/stored-file.js';

/** A private file, which can only be read with an expiring link. */
@ApiSchema({
  name: 'PrivateFile',
  description: 'A private file, which can only be read with an expiring link, or a directory.',
})
@Entity('private_files')
@FileIndexes('private_files')
export class PrivateFile extends StoredFile {}

export const PRIVATE_FILES = holding(PrivateFile, {
  table: 'private_files',
  title: 'Private file',
  audited: 'PrivateFile',
  count: 'privateFileCount',
  limit: 'privatefile',
  bytes: { kind: 'privateFileBytes', sql: contentBytesSql('r') },
  conflictMessages: { private_files_path: 'file.name is not available' },
  computed: [{ property: 'parentDirectory', kind: 'text', sql: directorySql('private_files') }],
});

@ApiSchema({
  name: 'PrivateFileUploadPostResponse',
  description: 'A private file with the target for the upload of its content, or a directory.',
})
export class PrivateFileUploadPostResponse extends PrivateFile {
  @ApiPropertyOptional({
    type: () => FileUploadTarget,
    description: 'Target for the upload; absent for directories.',
  })
  upload?: FileUploadTarget;
}

export const PrivateFiles = pageOf(PrivateFile, 'PrivateFiles', ['parentExists']);
