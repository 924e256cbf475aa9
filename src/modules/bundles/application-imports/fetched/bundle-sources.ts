import { Inject, Injectable } from '@nestjs/common';
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BLOBS, BlobMissing, type Blobs } from '../../../../lib/blobs/blobs.js';
import { TemporaryBlobs } from '../../../../platform/blobs/temporary-blobs.js';
import { BUNDLE_OPTIONS } from '../../../../platform/bundles/bundled.js';
import { BUNDLE_BOUNDS, type ZipBounds } from '../../../../platform/bundles/zip-bundle.js';
import { ValidationError } from '../../../../lib/errors/errors.js';
import { newId } from '../../../../platform/repositories/resource.js';
import { OutboundError, type SafeHttp } from '../../../../lib/http/safe-http.js';
import { withOpenStream } from '../../../../lib/async/with-open-stream.js';
import { BundleExporter } from '../../application-bundles/bundle-exporter.js';
import { BundleRepositories } from '../../application-bundles/bundle-repositories.js';
import { MAX_BUNDLE_BYTES } from '../asked/import-form.js';
import type { ImportTask, ImportProgress } from '../asked/import-task.js';

/** HTTP client for bundle URLs that callers provide. */
export const IMPORT_HTTP = Symbol('import http');

const FETCH_MS = 10 * 60_000;
/** Bounds for bundles written by the platform itself: the maximum size of an application. */
const PLATFORM_BUNDLE_BOUNDS: ZipBounds = {
  files: 2_000_000,
  bytes: Number.MAX_SAFE_INTEGER,
  ratio: Number.MAX_SAFE_INTEGER,
};

/** The platform creates this zip file itself, so its compression ratio is not limited. */
const CHECKOUT_BOUNDS: ZipBounds = { ...BUNDLE_BOUNDS, ratio: PLATFORM_BUNDLE_BOUNDS.ratio };

/** Fetches bundles to a local file with random access. */
@Injectable()
export class BundleSources {
  constructor(
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly temporary: TemporaryBlobs,
    @Inject(IMPORT_HTTP) private readonly http: SafeHttp,
    private readonly exporter: BundleExporter,
    private readonly repositories: BundleRepositories,
  ) {}

  /** Throws if the URL of a bundle is not permitted. Does not connect to it. */
  check({ source }: Pick<ImportTask, 'source'>): void {
    if (source.type === 'importUrl' && !this.http.permits(source.url))
      throw new ValidationError(
        'options.importUrl must be an https URL of a public server without user information',
      );
  }

  /** Writes the bundle of an import to a file and returns its size bounds. */
  async fetch(task: ImportTask, file: string, watch: ImportProgress): Promise<ZipBounds> {
    const { source } = task;
    switch (source.type) {
      case 'importBundle':
        await this.copy(source.key, file, watch.signal);
        return BUNDLE_BOUNDS;
      case 'importUrl':
        await this.download(source.url, file, watch.signal);
        return BUNDLE_BOUNDS;
      case 'fromApplication':
        await this.export(task, source.applicationId, file, watch);
        return PLATFORM_BUNDLE_BOUNDS;
      case 'repository': {
        const { signal } = watch;
        const { id, ownerId } = task.application;
        await this.repositories.checkOut(id, source.repository, 'options', {
          folder: dirname(file),
          file,
          ownerId,
          signal,
        });
        return CHECKOUT_BOUNDS;
      }
    }
  }

  /** Deletes the stored bundle of a finished import. If this fails, the bundle expires after a few days. */
  async discard({ source }: Pick<ImportTask, 'source'>): Promise<void> {
    if (source.type === 'importBundle') await this.temporary.discard(source.key).catch(() => undefined);
  }

  private async copy(key: string, file: string, signal: AbortSignal): Promise<void> {
    const content = await this.blobs.read(key).catch((error: unknown) => {
      throw error instanceof BlobMissing ? new ValidationError('importBundle no longer exists') : error;
    });
    await pipeline(content, createWriteStream(file), { signal });
  }

  /** Error messages hide details that would reveal the internal network. */
  private async download(url: string, file: string, signal: AbortSignal): Promise<void> {
    const request = { url, timeoutMs: FETCH_MS, maxBytes: MAX_BUNDLE_BYTES };
    const status = await withOpenStream(createWriteStream(file), (target) =>
      this.http
        .download(request, (content) => pipeline(content, target, { signal }))
        .catch((error: unknown) => {
          signal.throwIfAborted();
          if (!(error instanceof OutboundError)) throw error;
          const told =
            error.reason === 'size' ? `has more than ${MAX_BUNDLE_BYTES} bytes` : 'cannot be fetched';
          throw new ValidationError(`options.importUrl ${told}`);
        }),
    );
    if (status !== 200) throw new ValidationError(`options.importUrl returned the status ${status}`);
  }

  private async export(
    { without }: ImportTask,
    applicationId: string,
    file: string,
    watch: ImportProgress,
  ): Promise<void> {
    const options = BUNDLE_OPTIONS.filter((option) => !without.includes(option));
    const key = `imports/${newId()}.zip`;
    const written = (completed: number, total: number) =>
      watch.progress('Reading the application', completed, total);
    try {
      await this.exporter.export({ applicationId, options }, key, {
        signal: watch.signal,
        progress: written,
      });
      await this.copy(key, file, watch.signal);
    } finally {
      await this.discard({ source: { type: 'importBundle', key } });
    }
  }
}
