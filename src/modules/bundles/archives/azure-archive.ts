import { createHmac, randomBytes } from 'node:crypto';
import type { SafeHttp } from '../../../lib/http/safe-http.js';
import { ArchiveHttp } from './archive-http.js';
import { CONTENT_TYPE, encodedKey, partsOf, type ArchivePlace, type ArchiveStore } from './archive-store.js';

type AzurePlace = Extract<ArchivePlace, { kind: 'azure' }>;

/** Protocol version of the REST API. */
const VERSION = '2021-12-02';

/** A write request. Headers that begin with `x-ms-` are part of the protocol. */
interface Put {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  contentType?: string;
  body: Buffer;
}

/**
 * A container of Azure Blob Storage, or of a compatible store at `endpoint`, whose paths begin with the account. Calls
 * the REST API directly: the official SDK requires a newer Node.js version and opens its own connections.
 */
export class AzureArchive implements ArchiveStore {
  private readonly base: string;
  private readonly key: Buffer;
  private readonly http: ArchiveHttp;

  constructor(
    private readonly place: AzurePlace,
    http: SafeHttp,
    endpoint?: string,
  ) {
    this.http = new ArchiveHttp(http);
    const { account, bucket, accountKey } = place;
    const store = endpoint ? `${endpoint}/${account}` : `https://${account}.blob.core.windows.net`;
    this.base = `${store}/${bucket}`;
    this.key = Buffer.from(accountKey, 'base64');
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const url = `${this.base}/${encodedKey(key)}`;
    // Prefix of block IDs, so that concurrent uploads of a blob do not mix their blocks.
    const upload = randomBytes(8).toString('hex');
    const ids: string[] = [];
    for await (const { bytes, isLast, from } of partsOf(content)) {
      if (isLast && from === 0) return this.putWhole(url, bytes);
      const id = Buffer.from(upload + String(ids.length).padStart(6, '0')).toString('base64');
      await this.send(url, { query: { comp: 'block', blockid: id }, body: bytes });
      ids.push(id);
    }
    const list = ids.map((id) => `<Latest>${id}</Latest>`).join('');
    await this.send(url, {
      query: { comp: 'blocklist' },
      headers: { 'x-ms-blob-content-type': CONTENT_TYPE },
      contentType: 'application/xml',
      body: Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`),
    });
  }

  private async putWhole(url: string, body: Buffer): Promise<void> {
    await this.send(url, { headers: { 'x-ms-blob-type': 'BlockBlob' }, contentType: CONTENT_TYPE, body });
  }

  private async send(url: string, put: Put): Promise<void> {
    const { query = {}, body, contentType = '' } = put;
    const signed = { ...put.headers, 'x-ms-date': new Date().toUTCString(), 'x-ms-version': VERSION };
    const search = new URLSearchParams(query).toString();
    await this.http.expectStatus([201], {
      url: search ? `${url}?${search}` : url,
      method: 'PUT',
      headers: {
        ...signed,
        ...(contentType && { 'content-type': contentType }),
        authorization: this.authorization(new URL(url).pathname, query, signed, contentType, body.length),
      },
      body,
    });
  }

  /** Signs a request with the account key ("Authorize with Shared Key"). */
  private authorization(
    path: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
    contentType: string,
    length: number,
  ): string {
    const { account } = this.place;
    const lines = (of: Readonly<Record<string, string>>) =>
      Object.entries(of)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}:${value}`);
    const text = [
      'PUT',
      // Content-Encoding and Content-Language
      '',
      '',
      length > 0 ? String(length) : '',
      // Content-MD5
      '',
      contentType,
      // Date (replaced by x-ms-date), four conditional headers and Range
      ...['', '', '', '', '', ''],
      ...lines(headers),
      `/${account}${path}`,
      ...lines(query),
    ].join('\n');
    return `SharedKey ${account}:${createHmac('sha256', this.key).update(text, 'utf8').digest('base64')}`;
  }
}
