import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BLOBS, type Blobs, type UploadForm } from '../../../lib/blobs/blobs.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Uploads } from '../../../platform/blobs/uploads.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FileTriggers } from './file-triggers.js';
import type { FileUpload } from './file-upload.entity.js';
import {
  FileUploadsRepository,
  type CompletedFile,
  type StoredContent,
  type UploadKey,
} from './file-uploads.repository.js';
import { isMediaType } from './file-path.js';
import { MOST_FILE_BYTES, type StoredFile } from './stored-file.js';

/** How long a form is good. */
const FORM_SECONDS = 60 * 60;
/** How long content is expected: what was begun before the form ended may take a day. */
export const EXPECTED_SECONDS = FORM_SECONDS + 25 * 60 * 60;
const UNKNOWN_TYPE = 'application/octet-stream';

/** What is known of content before it comes. */
export type Announced = Partial<Pick<StoredFile, 'contentType' | 'fileSize' | 'fileDimensions'>>;

/** Content that is to come, and where it is to be sent. */
export interface ExpectedContent {
  upload: Omit<FileUpload, 'endsAt' | 'lookAt'>;
  key: string;
  form: UploadForm;
}

/** Contents of files: blobs under keys of their own, which become that of a file once they are there. */
@Injectable()
export class FileContents {
  constructor(
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly temporary: TemporaryBlobs,
    private readonly uploads: FileUploadsRepository,
    private readonly triggers: FileTriggers,
    private readonly database: Database,
    private readonly sent: Uploads,
  ) {
    sent.onStored(async (key, facts) => void (await this.complete(key, facts)));
  }

  /** Content that a file is to have, with a form for it; `expect` says that it is to be. */
  async plan(
    file: Pick<FileUpload, 'applicationId' | 'fileId' | 'kind'>,
    { contentType, fileSize, fileDimensions }: Announced,
  ): Promise<ExpectedContent> {
    const upload = {
      ...file,
      id: newId(),
      contentType: contentType ?? null,
      fileDimensions: fileDimensions ?? null,
    };
    const key = keyOf(upload);
    const form = await this.blobs.uploadForm(key, {
      contentType: contentType ?? UNKNOWN_TYPE,
      bytes: { least: fileSize ?? 0, most: fileSize ?? MOST_FILE_BYTES },
      expiresIn: FORM_SECONDS,
    });
    return { upload, key, form };
  }

  /**
   * Content that comes as the file `part` of a request: the file has it when all of it is there, in one transaction with
   * `also`. 404 where the file is gone.
   */
  async receive(
    file: Pick<FileUpload, 'applicationId' | 'fileId' | 'kind'>,
    request: Request,
    part: string,
    also: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const upload = { ...file, id: newId(), contentType: null, fileDimensions: null };
    const key = keyOf(upload);
    await this.database.transaction((transaction) => this.expect({ upload, key }, transaction, false));
    try {
      const allowed = { key, bytes: { least: 0, most: MOST_FILE_BYTES } };
      const { contentType, ...facts } = await this.sent.receiveFile(request, part, allowed);
      const isKnown = contentType !== UNKNOWN_TYPE && isMediaType(contentType);
      const content = { ...facts, contentType: isKnown ? contentType : undefined };
      if (!(await this.complete(key, content, also))) throw new NotFound('File');
    } catch (error) {
      // What cannot be noted now ends by itself.
      await this.database
        .transaction((transaction) => this.giveUp({ ...upload, key }, transaction))
        .catch(() => undefined);
      throw error;
    }
  }

  /**
   * From now on the content may come. Where it does not, nothing is left of it. What comes with a request is not sought: that
   * knows when it is there, and more of it.
   */
  async expect(
    { upload, key }: Omit<ExpectedContent, 'form'>,
    transaction: Transaction,
    isSought = true,
  ): Promise<void> {
    await this.temporary.expect(key, EXPECTED_SECONDS, transaction);
    await this.uploads.open(upload, EXPECTED_SECONDS, isSought, transaction);
  }

  /** Has content not be taken later, unless it was taken after all. */
  private async giveUp(upload: UploadKey, transaction: Transaction): Promise<void> {
    if (await this.uploads.close(upload, transaction))
      await this.temporary.expect(upload.key, 0, transaction);
  }

  /**
   * Makes a blob that is there the content of the file that it was sent for, in one transaction with `also`; nothing where
   * nobody expects it any more. 400 where it is too much for the owner: it is removed then, and the file is as it was.
   */
  async complete(
    key: string,
    facts: StoredContent,
    also?: (transaction: Transaction) => Promise<void>,
  ): Promise<CompletedFile | undefined> {
    const upload = uploadOf(key);
    if (!upload) return undefined;
    try {
      return await this.make(upload, facts, also);
    } catch (error) {
      if (error instanceof ValidationError) await this.temporary.refuse(key, EXPECTED_SECONDS);
      throw error;
    }
  }

  private make(
    upload: UploadKey,
    facts: StoredContent,
    also?: (transaction: Transaction) => Promise<void>,
  ): Promise<CompletedFile | undefined> {
    const { key } = upload;
    return this.database.transaction(async (transaction) => {
      if (!(await this.temporary.keepForGood(key, transaction))) {
        // A form may be used again when what it brought is gone.
        if (!(await this.uploads.isContent(upload, transaction)))
          await this.temporary.abandon(key, transaction);
        return undefined;
      }
      const completed = await this.uploads.complete(upload, facts, transaction);
      if (!completed) {
        await this.temporary.expect(key, 0, transaction);
        return undefined;
      }
      const heard = await this.uploads.heard(completed, transaction);
      const change = completed.isNew ? 'create' : 'update';
      await this.triggers.fire(change, completed.kind, heard, transaction);
      await also?.(transaction);
      return completed;
    });
  }
}

/** The key of the content that an upload brings. */
export const keyOf = ({ applicationId, fileId, id }: Omit<UploadKey, 'key'>): string =>
  `files/${applicationId}/${fileId}/${id}`;

/** What a key of a content says; nothing where it is another blob's. */
export function uploadOf(key: string): UploadKey | undefined {
  const [, applicationId, fileId, id] =
    /^files\/([\da-f]{24})\/([\da-f]{24})\/([\da-f]{24})$/.exec(key) ?? [];
  return applicationId && fileId && id ? { applicationId, fileId, id, key } : undefined;
}
