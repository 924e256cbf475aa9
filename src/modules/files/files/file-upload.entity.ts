import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import type { FileDimensions } from './stored-file.js';

/**
 * Content that is to come: a form was handed out for it. Its row ends with its content, which becomes that of the file then,
 * or when its time is over. Its blob is a temporary one until then.
 */
@Entity('file_uploads')
export class FileUpload {
  /** The last part of its key. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Index('file_uploads_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** No foreign key: it is a file of one kind or the other. */
  @Index('file_uploads_by_file')
  @Column({ type: 'text' })
  fileId: string;

  /** The table that has the file. */
  @Column({ type: 'text' })
  kind: FileTable;

  /** What the file is to have with the content. */
  @Column({ type: 'text', nullable: true })
  contentType: string | null;

  @Column({ type: 'jsonb', nullable: true })
  fileDimensions: FileDimensions | null;

  @Index('file_uploads_by_end')
  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;

  /** When it is looked for next; `infinity` for what comes with a request, which notes it. */
  @Index('file_uploads_by_look')
  @Column({ type: 'timestamptz', precision: 3 })
  lookAt: Date;
}

export type FileTable = 'files' | 'private_files';

export const FILE_UPLOADS = holding(FileUpload, { table: 'file_uploads', title: 'Upload' });
