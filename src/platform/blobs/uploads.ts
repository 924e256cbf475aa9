import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { Readable } from 'node:stream';
import { Conflict, NotFound, PayloadTooLarge, ValidationError } from '../../lib/errors/errors.js';
import { atOwnPace } from '../../lib/http/own-pace.js';
import { BLOBS, type BlobFacts, type Blobs } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';
import { FORM_BYTES, receiveForm, type Pace, type TakeContent } from './receive-form.js';
import type { AllowedUpload } from '../../lib/blobs/upload-forms.js';

/** Maximum duration of an upload. An upload may therefore end this long after its form has expired. */
export const LONGEST_UPLOAD_MS = 24 * 60 * 60 * 1000;

/** Called when an upload has been stored. Throws a `ValidationError` to reject it. */
export type Stored = (key: string, facts: BlobFacts) => Promise<void>;

/** Receives uploads to a folder. Uploads to S3 go there directly, without notification. */
@Injectable()
export class Uploads {
  /** A stalled upload is aborted within a minute. */
  pace: Pace = { windowMs: 30_000, leastBytes: 64 * 1024, longestMs: LONGEST_UPLOAD_MS };
  private readonly logger = new Logger(Uploads.name);
  private readonly listeners: Stored[] = [];
  /** Keys with an upload in progress. One form can only fill the disk with one upload at a time. */
  private readonly coming = new Set<string>();

  constructor(@Inject(BLOBS) private readonly blobs: Blobs) {}

  /**
   * Registers `stored` to be called for each upload received by this process. The call may be lost if the process ends.
   */
  onStored(stored: Stored): void {
    this.listeners.push(stored);
  }

  /** Stores the upload of a form. A failed upload leaves nothing behind. */
  async receive(request: Request): Promise<BlobFacts> {
    const { blobs } = this;
    if (!(blobs instanceof DiskBlobs)) throw new NotFound('This path');
    const { key, facts } = await this.take(request, 'file', async (content, contentType, fields) => {
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
  ): Promise<BlobFacts & { contentType: string }> {
    return this.take(request, name, async (content, contentType) => ({
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
    const { fields, taken } = await this.receiveAll(request, form, async (content, contentType) =>
      this.store(request, await allow(), content, contentType),
    );
    return { fields, hasFile: taken !== undefined };
  }

  private async take<T>(request: Request, file: string, take: TakeContent<T>): Promise<T> {
    return (await this.receiveAll(request, { file }, take)).taken!;
  }

  private async receiveAll<T>(
    request: Request,
    form: { file: string; anyOrder?: boolean },
    take: TakeContent<T>,
  ): Promise<{ fields: ReadonlyMap<string, string>; taken?: T }> {
    try {
      return await atOwnPace(request, () => receiveForm(request, { ...form, pace: this.pace }, take));
    } finally {
      // The unread rest of a rejected request must not be parsed as the start of another.
      if (!request.complete) request.res!.shouldKeepAlive = false;
    }
  }

  private async store(
    { headers }: Request,
    { key, bytes }: AllowedUpload,
    content: AsyncIterable<Buffer>,
    contentType: string,
  ): Promise<BlobFacts> {
    const { blobs } = this;
    const announced = Number(headers['content-length'] ?? 0) - FORM_BYTES;
    if (announced > bytes.most) throw tooLarge(bytes.most);
    if (this.coming.has(key)) throw new Conflict('This form is in use');
    this.coming.add(key);
    try {
      if (await blobs.find(key)) throw new Conflict('This form has already been used');
      if (blobs instanceof DiskBlobs) await blobs.demandRoom(Math.max(announced, bytes.least));
      await blobs.put(key, Readable.from(within(bytes, content), { objectMode: false }), { contentType });
      return (await blobs.find(key))!;
    } finally {
      this.coming.delete(key);
    }
  }
}

/**
 * Passes the content through. Throws as soon as it exceeds the maximum size, or at its end if it is below the minimum.
 */
async function* within(
  { least, most }: AllowedUpload['bytes'],
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let came = 0;
  for await (const chunk of content) {
    came += chunk.length;
    if (came > most) throw tooLarge(most);
    yield chunk;
  }
  if (came < least)
    throw new ValidationError(`The file has ${came} bytes, but at least ${least} were announced`);
}

const tooLarge = (most: number) => new PayloadTooLarge(`The file has more than ${most} bytes`);
