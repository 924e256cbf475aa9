import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BLOBS, type Blobs, type UploadForm } from '../../../lib/blobs/blobs.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Uploads } from '../../../platform/blobs/uploads.js';
import { Atomic } from '../../../platform/database/atomic.js';
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
import { MAX_FILE_BYTES, type StoredFile } from './stored-file.js';

/** Validity of an upload form, in seconds. */
const FORM_SECONDS = 60 * 60;
/** Time during which content is expected, in seconds. An upload started before the form expired may take a day. */
export const EXPECTATION_SECONDS = FORM_SECONDS + 25 * 60 * 60;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Properties of content announced before its upload. */
export type AnnouncedContent = Partial<Pick<StoredFile, 'contentType' | 'fileSize' | 'fileDimensions'>>;

/** Expected content and the form for its upload. */
export interface ExpectedContent {
  upload: Omit<FileUpload, 'endsAt' | 'lookAt'>;
  key: string;
  form: UploadForm;
}

/**
 * Manages contents of files: blobs under unique keys that become the content of a file when their upload has completed.
 */
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

  /** Returns an upload with a form for new content of a file; call `expect` to register it. */
  async plan(
    file: Pick<FileUpload, 'applicationId' | 'fileId' | 'kind'>,
    { contentType, fileSize, fileDimensions }: AnnouncedContent,
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
      bytes: { least: fileSize ?? 0, most: fileSize ?? MAX_FILE_BYTES },
      expiresIn: FORM_SECONDS,
    });
    return { upload, key, form };
  }

  /**
   * Receives content as the `file` part of a request. The content is assigned to the file after a complete upload, in
   * one transaction with `also`. Throws 404 if the file no longer exists.
   */
  async receive(
    file: Pick<FileUpload, 'applicationId' | 'fileId' | 'kind'>,
    request: Request,
    part: string,
    also: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const upload = { ...file, id: newId(), contentType: null, fileDimensions: null };
    const key = keyOf(upload);
    // Content is stored before the transaction that assigns it, which can be part of a larger one and be rolled back.
    await Atomic.outside(() =>
      this.database.transaction((transaction) => this.expect({ upload, key }, transaction, false)),
    );
    try {
      const allowed = { key, bytes: { least: 0, most: MAX_FILE_BYTES } };
      const { contentType, ...facts } = await this.sent.receiveFile(request, part, allowed);
      const isKnown = contentType !== UNKNOWN_TYPE && isMediaType(contentType);
      const content = { ...facts, contentType: isKnown ? contentType : undefined };
      if (!(await this.complete(key, content, also))) throw new NotFound('File');
    } catch (error) {
      // If this fails, the upload expires by itself.
      await Atomic.outside(() =>
        this.database.transaction((transaction) => this.cancel({ ...upload, key }, transaction)),
      ).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Registers an upload; its blob is deleted unless it completes in time. Uploads through a request are not polled,
   * because the request itself completes them with additional information.
   */
  async expect(
    { upload, key }: Omit<ExpectedContent, 'form'>,
    transaction: Transaction,
    isSought = true,
  ): Promise<void> {
    await this.temporary.expect(key, EXPECTATION_SECONDS, transaction);
    await this.uploads.open(upload, EXPECTATION_SECONDS, isSought, transaction);
  }

  /** Cancels an upload unless it has completed. */
  private async cancel(upload: UploadKey, transaction: Transaction): Promise<void> {
    if (await this.uploads.close(upload, transaction))
      await this.temporary.expect(upload.key, 0, transaction);
  }

  /**
   * Assigns a stored blob to its file, in one transaction with `also`. Returns `undefined` if the upload is no longer
   * expected. Throws 400 if the owner's storage limit would be exceeded; the blob is then deleted and the file is
   * unchanged.
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
      if (error instanceof ValidationError)
        await Atomic.outside(() => this.temporary.refuse(key, EXPECTATION_SECONDS));
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
      if (!(await this.temporary.makePermanent(key, transaction))) {
        // A form may be used again after its blob was deleted.
        if (!(await this.uploads.isContent(upload, transaction)))
          await this.temporary.abandon(key, transaction);
        return undefined;
      }
      const completed = await this.uploads.complete(upload, facts, transaction);
      if (!completed) {
        await this.temporary.expect(key, 0, transaction);
        return undefined;
      }
      const heard = await this.uploads.findTriggerFile(completed, transaction);
      const change = completed.isNew ? 'create' : 'update';
      await this.triggers.fire(change, completed.kind, heard, transaction);
      await also?.(transaction);
      return completed;
    });
  }
}

/** Returns the blob key of an upload. */
export const keyOf = ({ applicationId, fileId, id }: Omit<UploadKey, 'key'>): string =>
  `files/${applicationId}/${fileId}/${id}`;

/** Parses the blob key of an upload. Returns `undefined` for other blobs. */
export function uploadOf(key: string): UploadKey | undefined {
  const [, applicationId, fileId, id] =
    /^files\/([\da-f]{24})\/([\da-f]{24})\/([\da-f]{24})$/.exec(key) ?? [];
  return applicationId && fileId && id ? { applicationId, fileId, id, key } : undefined;
}
