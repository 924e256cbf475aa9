import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Readable } from 'node:stream';
import {
  BlobMissing,
  checkKey,
  type BlobMetadata,
  type Blobs,
  type DownloadOptions,
  type UploadForm,
  type UploadConstraints,
} from './blobs.js';
import { contentHeaders } from './content-headers.js';

/** One part is in memory at a time. S3 accepts at most 10,000 parts, so a blob can have at most 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const CONNECT_MS = 10_000;
const IDLE_MS = 60_000;

/**
 * Blobs as objects of a bucket (`s3://bucket` or `s3://bucket/prefix`). The SDK resolves region and credentials (the
 * usual AWS variables, profiles or roles); `endpoint` is for stores other than Amazon's. Links are presigned: callers
 * download directly from the store.
 */
export class S3Blobs implements Blobs {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor(url: string, endpoint?: string) {
    const { hostname, pathname } = new URL(url);
    this.bucket = hostname;
    const path = pathname.replace(/^\/+|\/+$/g, '');
    this.prefix = path && `${path}/`;
    this.client = new S3Client({
      ...(endpoint && { endpoint, forcePathStyle: true }),
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
    });
  }

  async put(
    key: string,
    content: Readable | Buffer,
    { contentType }: { contentType: string },
  ): Promise<{ size: number }> {
    const target = this.object(key);
    let size = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      const chunks: Iterable<Buffer> | AsyncIterable<Buffer> = Buffer.isBuffer(content) ? [content] : content;
      for await (const chunk of chunks) {
        size += chunk.length;
        yield chunk;
      }
    }
    const params = { ...target, ContentType: contentType, Body: Readable.from(counted()) };
    await new Upload({ client: this.client, params, partSize: PART_BYTES, queueSize: 1 }).done();
    return { size };
  }

  async read(key: string): Promise<Readable> {
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.object(key)));
      // In browsers, the SDK returns a web stream; in Node it is always a `Readable`.
      return Body as Readable;
    } catch (error) {
      throw error instanceof NoSuchKey ? new BlobMissing(key) : error;
    }
  }

  async find(key: string): Promise<BlobMetadata | undefined> {
    try {
      const head = await this.client.send(new HeadObjectCommand(this.object(key)));
      return { bytes: head.ContentLength!, etag: head.ETag! };
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async check(): Promise<void> {
    await this.find('probe');
  }

  async delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(key)));
  }

  async downloadUrl(key: string, { expiresIn, fileName, contentType }: DownloadOptions): Promise<string> {
    const shown = contentHeaders(fileName, contentType);
    const command = new GetObjectCommand({
      ...this.object(key),
      ResponseContentDisposition: shown.disposition,
      ...(contentType !== undefined && { ResponseContentType: shown.contentType }),
    });
    return getSignedUrl(this.client, command, { expiresIn });
  }

  async uploadForm(key: string, { contentType, bytes, expiresIn }: UploadConstraints): Promise<UploadForm> {
    return createPresignedPost(this.client, {
      ...this.object(key),
      Fields: { 'Content-Type': contentType },
      Conditions: [['content-length-range', bytes.least, bytes.most]],
      Expires: expiresIn,
    });
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + checkKey(key) };
  }
}
