import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import type { FileDimensions } from './stored-file.js';

/**
 * Expected content, for which an upload form was issued. The row is deleted when the content becomes that of its file
 * or when the upload expires. Until then, the blob is temporary.
 */
@Entity('file_uploads')
export class FileUpload {
  /** Last part of the blob key. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Index('file_uploads_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** ID of a public or private file, therefore not a foreign key. */
  @Index('file_uploads_by_file')
  @Column({ type: 'text' })
  fileId: string;

  /** Table that contains the file. */
  @Column({ type: 'text' })
  kind: FileTable;

  /** Content type that the file gets with the content. */
  @Column({ type: 'text', nullable: true })
  contentType: string | null;

  @Column({ type: 'jsonb', nullable: true })
  fileDimensions: FileDimensions | null;

  @Index('file_uploads_by_end')
  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;

  /** Time of the next poll; `infinity` for uploads through a request, which completes them itself. */
  @Index('file_uploads_by_look')
  @Column({ type: 'timestamptz', precision: 3 })
  lookAt: Date;
}

export type FileTable = 'files' | 'private_files';

export const FILE_UPLOADS = holding(FileUpload, {
  table: 'file_uploads',
  title: 'Upload',
  after: ['files', 'private_files'],
});
