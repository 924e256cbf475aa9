import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { Conflict, NotFound, PayloadTooLarge, ValidationError } from '../../lib/errors/errors.js';
import { withoutRequestTimeout } from '../../lib/http/request-timeout.js';
import { BLOBS, type BlobMetadata, type Blobs } from '../../lib/blobs/blobs.js';
import { hashed } from '../../lib/blobs/content-md5.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';
import { FORM_BYTES, receiveForm, type UploadRate, type ContentHandler } from './receive-form.js';
import type { AllowedUpload } from '../../lib/blobs/upload-forms.js';

/** Maximum duration of an upload. An upload may therefore end this long after its form has expired. */
export const MAX_UPLOAD_MS = 24 * 60 * 60 * 1000;

/** Called when an upload has been stored. Throws a `ValidationError` to reject it. */
export type UploadListener = (key: string, facts: BlobMetadata) => Promise<void>;

/** Receives uploads to a folder. Uploads to S3 go there directly, without notification. */
@Injectable()
export class Uploads {
  /** A stalled upload is aborted within a minute. */
  pace: UploadRate = { windowMs: 30_000, minBytes: 64 * 1024, maxMs: MAX_UPLOAD_MS };
  private readonly logger = new Logger(Uploads.name);
  private readonly listeners: UploadListener[] = [];
  /** Keys with an upload in progress. One form can only fill the disk with one upload at a time. */
  private readonly coming = new Set<string>();

  constructor(@Inject(BLOBS) private readonly blobs: Blobs) {}

  /**
   * Registers `stored` to be called for each upload received by this process. The call may be lost if the process ends.
   */
  onStored(stored: UploadListener): void {
    this.listeners.push(stored);
  }

  /** Stores the upload of a form. The ETag is its MD5, as in S3. A failed upload leaves nothing behind. */
  async receive(request: Request): Promise<BlobMetadata> {
    const { blobs } = this;
    if (!(blobs instanceof DiskBlobs)) throw new NotFound('This path');
    const { key, facts } = await this.receiveWithin(request, 'file', async (content, contentType, fields) => {
      const allowed = blobs.verifyUpload(fields, new Date());
      return { key: allowed.key, facts: await this.store(request, allowed, content, contentType) };
    });
    for (const listener of this.listeners)
      await listener(key, facts).catch((error: unknown) => {
        if (error instanceof ValidationError) throw error;
        // The blob has been stored regardless, and consumers can find it later.
        this.logger.warn(`Could not notify a listener about an upload: ${(error as Error).message}`);
      });
    return facts;
  }

  /** Stores the file that an operation receives as the part `name` of its body, in a folder or in S3. */
  async receiveFile(
    request: Request,
    name: string,
    allowed: AllowedUpload,
  ): Promise<BlobMetadata & { contentType: string }> {
    return this.receiveWithin(request, name, async (content, contentType) => ({
      ...(await this.store(request, allowed, content, contentType)),
      contentType,
    }));
  }

  /**
   * Returns the fields of a form, keyed by name in lower case, and whether it contains the file `name`. When the file
   * arrives, it is stored as `allow` specifies.
   */
  async receiveForm(
    request: Request,
    name: string,
    allow: () => Promise<AllowedUpload>,
  ): Promise<{ fields: ReadonlyMap<string, string>; hasFile: boolean }> {
    const form = { file: name, anyOrder: true };
    const { fields, result } = await this.receiveAll(request, form, async (content, contentType) =>
      this.store(request, await allow(), content, contentType),
    );
    return { fields, hasFile: result !== undefined };
  }

  private async receiveWithin<T>(request: Request, file: string, take: ContentHandler<T>): Promise<T> {
    return (await this.receiveAll(request, { file }, take)).result!;
  }

  private async receiveAll<T>(
    request: Request,
    form: { file: string; anyOrder?: boolean },
    take: ContentHandler<T>,
  ): Promise<{ fields: ReadonlyMap<string, string>; result?: T }> {
    try {
      return await withoutRequestTimeout(request, () =>
        receiveForm(request, { ...form, pace: this.pace }, take),
      );
    } finally {
      // The unread rest of a rejected request is discarded, so that the client can send it and read the response.
      request.resume();
    }
  }

  private async store(
    { headers }: Request,
    { key, bytes }: AllowedUpload,
    content: AsyncIterable<Buffer>,
    contentType: string,
  ): Promise<BlobMetadata> {
    const { blobs } = this;
    const { content: counted, md5 } = hashed(withinSize(bytes, content));
    const announced = Number(headers['content-length'] ?? 0) - FORM_BYTES;
    if (announced > bytes.most) throw tooLarge(bytes.most);
    if (this.coming.has(key)) throw new Conflict('This form is in use');
    this.coming.add(key);
    try {
      if (await blobs.find(key)) throw new Conflict('This form has already been used');
      if (blobs instanceof DiskBlobs) await blobs.assertFreeSpace(Math.max(announced, bytes.least));
      const { size } = await blobs.put(key, counted, { contentType });
      return { bytes: size, etag: `"${md5()}"` };
    } finally {
      this.coming.delete(key);
    }
  }
}

/**
 * Passes the content through. Throws as soon as it exceeds the maximum size, or at its end if it is below the minimum.
 */
async function* withinSize(
  { least: min, most: max }: AllowedUpload['bytes'],
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let came = 0;
  for await (const chunk of content) {
    came += chunk.length;
    if (came > max) throw tooLarge(max);
    yield chunk;
  }
  if (came < min) throw new ValidationError(`The file has ${came} bytes, but at least ${min} were announced`);
}

const tooLarge = (max: number) => new PayloadTooLarge(`The file has more than ${max} bytes`);
