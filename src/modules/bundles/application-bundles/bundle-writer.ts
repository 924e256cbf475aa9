import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { Config } from '../../../config/config.js';
import { addressReplacer } from '../../../platform/bundles/platform-addresses.js';
import type { Bundled } from '../../../platform/bundles/bundled.js';
import { BundleWork } from '../../../platform/bundles/bundle-work.js';
import type { Snapshot } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import type { ZippedFile } from '../../../lib/zip/zip.js';
import { streamOf } from '../../devices/device-exports/pages.js';
import { BundleResources, type BundleTask, type BundleProgress } from './bundle-resources.js';
import { BundleRowsRepository } from './bundle-rows.repository.js';
import { BundleTexts } from './bundle-texts.js';
import { TableCsv } from './table-csv.js';
import { streamOfText } from './text-files.js';

/** Files larger than this require the ZIP64 format. */
const ZIP64_THRESHOLD = 0xffff_ffff;

/** Writes the files of application bundles. */
@Injectable()
export class BundleWriter {
  constructor(
    private readonly rows: BundleRowsRepository,
    private readonly tables: TableCsv,
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly work: BundleWork,
    @Inject(Config) private readonly config: Config,
  ) {}

  /**
   * Yields the files of a bundle. Resources and file contents are from one snapshot; the rows of each data table are
   * read later. Memory holds one entry per resource (its name in the bundle) and a few resources and rows at a time.
   */
  async *files(task: BundleTask, ownerId: string, watch: BundleProgress): AsyncGenerator<ZippedFile> {
    const texts = new BundleTexts(this.work, { ownerId, signal: watch.signal }, addressReplacer(this.config));
    const snapshot = await this.rows.open();
    try {
      const resources = new BundleResources(task, watch, texts, snapshot, this.rows);
      yield* resources.files();
      const contents = await this.contentsOf(task, snapshot);
      await snapshot.release();
      for (const { family, pages } of contents)
        for await (const page of pages)
          for (const row of page) {
            const name = resources.contentPath(family, row[0]!);
            if (name === undefined) continue;
            yield { name, ...(await this.contentOf(task, family, row, name, texts, watch)) };
            await resources.countItem();
          }
    } finally {
      await snapshot.close();
    }
  }

  /** Returns the sources of content files, to be read after the snapshot is released. */
  private async contentsOf({ applicationId, families, options }: BundleTask, snapshot: Snapshot) {
    const contents: { family: Bundled; pages: AsyncGenerator<Row[]> }[] = [];
    for (const family of families) {
      const { content } = family;
      if (!content || (content.option && !options.has(content.option))) continue;
      contents.push({ family, pages: await this.rows.contents(snapshot, family, applicationId) });
    }
    return contents;
  }

  private async contentOf(
    { applicationId }: BundleTask,
    { content }: Bundled,
    [id, first, second]: Row,
    name: string,
    texts: BundleTexts,
    { signal }: BundleProgress,
  ): Promise<Omit<ZippedFile, 'name'>> {
    switch (content!.kind) {
      case 'blob':
        return { content: await this.blobs.read(first!), isHuge: Number(second) >= ZIP64_THRESHOLD };
      case 'rows': {
        const table = { applicationId, id: id!, columns: first!, numbers: second! };
        return { content: streamOf(this.tables.lines(table, texts.placeholders, signal)) };
      }
      default:
        return { content: streamOfText(await texts.text(first ?? '', name)) };
    }
  }
}
