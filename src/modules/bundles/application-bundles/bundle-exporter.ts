import { Inject, Injectable } from '@nestjs/common';
import { BlobMissing } from '../../../lib/blobs/blobs.js';
import { TemporaryBlobs, type TemporaryLink } from '../../../platform/blobs/temporary-blobs.js';
import {
  BUNDLES,
  VERSION_BUNDLES,
  type Bundled,
  type BundleOption,
} from '../../../platform/bundles/bundled.js';
import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { errorCode } from '../../../platform/database/error-code.js';
import { Unavailable } from '../../../lib/errors/errors.js';
import { createZip, type ZippedFile } from '../../../lib/zip/zip.js';
import type { BundleTask, BundleProgress } from './bundle-resources.js';
import { BundleRowsRepository, type LinkFacts } from './bundle-rows.repository.js';
import { BundleWriter } from './bundle-writer.js';

/** Application to export and the optional parts to include. */
export interface BundleRequest {
  applicationId: string;
  options: readonly BundleOption[];
}

/** Default lifetime of the link if the application does not set `blobUrlTTL`. */
const LINK_SECONDS = 24 * 60 * 60;
/** Constant modification time of all files, so that identical content produces an identical bundle. */
const MODIFIED = new Date('1980-01-01T12:00:00.000Z');
/** PostgreSQL error codes for an undefined table or column. */
const UNDEFINED_TABLE_OR_COLUMN: ReadonlySet<string> = new Set(['42P01', '42703']);
const ATTEMPTS = 3;
/** Maximum size of the files exported within a request; the number of resources is limited by the configuration. */
const MAX_SYNC_BYTES = 8 * 1024 * 1024;

/** Creates bundles of applications and links to them. */
@Injectable()
export class BundleExporter {
  constructor(
    private readonly rows: BundleRowsRepository,
    private readonly writer: BundleWriter,
    private readonly blobs: TemporaryBlobs,
    @Inject(BUNDLES) private readonly bundles: readonly Bundled[],
    @Inject(VERSION_BUNDLES) private readonly versionBundles: readonly Bundled[],
  ) {}

  /** Checks whether a bundle has at most `max` resources and little file content. */
  async isSmall(asked: BundleRequest, max: number): Promise<boolean> {
    const { applicationId, families, options } = this.taskOf(asked);
    const { resources, bytes } = await this.rows.sizeOf(applicationId, families, options, max);
    return resources <= max && bytes <= MAX_SYNC_BYTES;
  }

  /** Stores a bundle under a key and returns a link to it. */
  async export(asked: BundleRequest, key: string, watch: BundleProgress): Promise<TemporaryLink> {
    return this.use(asked, watch, async (files, { name, seconds }) => {
      await this.blobs.put(key, createZip(files, MODIFIED), { contentType: 'application/zip' });
      return this.blobs.link(key, `${pathPart(name)}.zip`, seconds ?? LINK_SECONDS);
    });
  }

  /** Calls `work` with the files of a bundle. Restarts if data is deleted concurrently. */
  async use<T>(
    asked: BundleRequest,
    watch: BundleProgress,
    work: (files: AsyncIterable<ZippedFile>, facts: LinkFacts) => Promise<T>,
  ): Promise<T> {
    const facts = await this.rows.linkFacts(asked.applicationId);
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(this.writer.files(this.taskOf(asked), facts.ownerId, watch), facts);
      } catch (error) {
        if (!isOfOthers(error)) throw error;
        if (attempt === ATTEMPTS) throw new Unavailable('The application keeps changing, try again');
      }
    }
  }

  private taskOf({ applicationId, options }: BundleRequest): BundleTask {
    const asked = new Set(options);
    const families = [...this.bundles, ...this.versionBundles].filter(
      ({ option }) => !option || asked.has(option),
    );
    return { applicationId, families, options: asked };
  }
}

/** Checks whether a blob, table or column was deleted while it was read. */
const isOfOthers = (error: unknown): boolean =>
  error instanceof BlobMissing || UNDEFINED_TABLE_OR_COLUMN.has(errorCode(error));
