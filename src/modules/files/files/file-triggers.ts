import { Injectable } from '@nestjs/common';
import type { ActorType } from '../../../platform/access/principal-data.js';
import { channelOf } from '../../../platform/audit/author.js';
import type { Transaction } from '../../../platform/database/database.js';
import { FILE_CHANGE } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
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
  constructor(private readonly firings: Firings) {}

  async fire(
    change: 'create' | 'update' | 'delete',
    kind: FileTable,
    file: TriggerFile,
    transaction: Transaction,
  ): Promise<void> {
    const { id, applicationId, name, parentDirectory, contentType, fileSize, authorType } = file;
    const parts = parentDirectory.split('/').slice(1, -1);
    const above = parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}/`);
    const isPrivate = kind === 'private_files';
    const heard = { id, name, parentDirectory, contentType, fileSize };
    const keys = ['/', ...above, `${parentDirectory}${name}`];
    const visibility = isPrivate ? 'private' : 'public';
    const data = { action: change, private: isPrivate, file: heard };
    const given = JSON.stringify({ sourceId: id, data });
    const firing = {
      applicationId,
      triggers: keys.map((key) => ({ type: 'appFile', key, change, visibility })),
      items: [{ given, channel: channelOf(actorTypeOf(authorType)), bytes: Buffer.byteLength(given) }],
    } as const;
    await this.firings.fire(FILE_CHANGE, [firing], transaction);
  }
}

/** Files without an author, and of notebooks, count as those of users. */
const actorTypeOf = (type: TriggerFile['authorType']): ActorType =>
  type === 'apiToken' || type === 'device' || type === 'flow' ? type : 'user';
