import { Injectable } from '@nestjs/common';
import type { Runner } from '../../../platform/database/database.js';
import { FileRunsRepository, type FileFiring } from '../../flows/flow-runs/file-runs.repository.js';
import type { FileTable } from './file-upload.entity.js';
import type { StoredFile } from './stored-file.js';

/** A file as passed to workflows. */
export type TriggerFile = Pick<
  StoredFile,
  'id' | 'applicationId' | 'name' | 'parentDirectory' | 'contentType' | 'fileSize' | 'authorType'
>;

/**
 * Fires the workflows triggered by changes of files. The key of a trigger is a file, or ends with `/` for everything
 * below a directory.
 */
@Injectable()
export class FileTriggers {
  constructor(private readonly runs: FileRunsRepository) {}

  fire(change: FileFiring['change'], kind: FileTable, file: TriggerFile, runner: Runner): Promise<void> {
    const { id, applicationId, name, parentDirectory, contentType, fileSize, authorType } = file;
    const parts = parentDirectory.split('/').slice(1, -1);
    const above = parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}/`);
    const isPrivate = kind === 'private_files';
    const heard = { id, name, parentDirectory, contentType, fileSize };
    const by = authorType === 'apiToken' || authorType === 'device' ? authorType : 'user';
    return this.runs.fire(
      {
        applicationId,
        fileId: id,
        change,
        isPrivate,
        keys: ['/', ...above, `${parentDirectory}${name}`],
        data: { action: change, private: isPrivate, file: heard },
        channel: `${by}.rest`,
      },
      runner,
    );
  }
}
