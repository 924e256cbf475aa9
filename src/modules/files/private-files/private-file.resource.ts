import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { contentBytesSql, directorySql } from '../files/file.columns.js';
import { FileUploadTarget } from '../files/file.resource.js';
import { FileIndexes, StoredFile } from '../files/stored-file.js';

/** A file that only those may read who are given a link. */
@ApiSchema({
  name: 'PrivateFile',
  description: 'A file that only those may read who are given a link, or a directory.',
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
  taken: { private_files_path: 'file.name is not available' },
  computed: [{ property: 'parentDirectory', kind: 'text', sql: directorySql('private_files') }],
});

@ApiSchema({
  name: 'PrivateFileUploadPostResponse',
  description: 'A private file, and where its content is sent; a directory has none.',
})
export class PrivateFileUploadPostResponse extends PrivateFile {
  @ApiPropertyOptional({ type: () => FileUploadTarget, description: 'Where the content is sent.' })
  upload?: FileUploadTarget;
}

export const PrivateFiles = pageOf(PrivateFile, 'PrivateFiles', ['parentExists']);
