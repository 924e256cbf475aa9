import jwt from 'jsonwebtoken';
import type { OutboundRequest, OutboundResponse, SafeHttp } from '../../../lib/http/safe-http.js';
import { ArchiveHttp } from './archive-http.js';
import {
  ArchiveRejected,
  CONTENT_TYPE,
  partsOf,
  type ArchivePart,
  type ArchivePlace,
  type ArchiveStore,
} from './archive-store.js';

type GcsPlace = Extract<ArchivePlace, { kind: 'gcs' }>;

const STORE = 'https://storage.googleapis.com';
const TOKENS = 'https://oauth2.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_SECONDS = 3_600;
/** Time before its expiry when a token is no longer used. */
const EXPIRY_MARGIN_MS = 5 * 60_000;
/** Status: the upload is incomplete. */
const INCOMPLETE_STATUS = 308;
/** Status: the upload no longer exists. */
const NOT_FOUND_STATUS = 404;

/**
 * A bucket of Google Cloud Storage, or of a compatible store at `endpoint` that also issues tokens. Calls the JSON API
 * directly: the official SDK bypasses the outbound connection rules and requires a newer Node.js version.
 */
export class GcsArchive implements ArchiveStore {
  private readonly store: string;
  private readonly tokens: string;
  private readonly http: ArchiveHttp;
  private token?: { text: Promise<string>; expiresAt: number };

  constructor(
    private readonly place: GcsPlace,
    http: SafeHttp,
    endpoint?: string,
  ) {
    this.http = new ArchiveHttp(http);
    this.store = endpoint ?? STORE;
    this.tokens = `${endpoint ?? TOKENS}/token`;
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    let session: string | undefined;
    for await (const part of partsOf(content)) {
      if (part.isLast && part.from === 0) return this.putWhole(key, part.bytes);
      session ??= await this.startUpload(key);
      await this.putPart(session, part);
    }
  }

  private async putWhole(key: string, body: Buffer): Promise<void> {
    await this.expectStatus([200], { url: this.uploadUrl(key, 'media'), method: 'POST', body });
  }

  /** Starts a resumable upload and returns its URL. */
  private async startUpload(key: string): Promise<string> {
    const { headers } = await this.expectStatus([200], {
      url: this.uploadUrl(key, 'resumable'),
      method: 'POST',
      headers: { 'x-upload-content-type': CONTENT_TYPE },
      body: '',
    });
    if (!headers.location) throw new Error('The store started an upload without returning its URL');
    return headers.location;
  }

  /** Uploads a part, resending the bytes that the store did not accept. */
  private async putPart(url: string, { bytes, from, isLast }: ArchivePart): Promise<void> {
    const end = from + bytes.length;
    for (let at = from; ;) {
      const range = `bytes ${at}-${end - 1}/${isLast ? end : '*'}`;
      const { status, headers } = await this.expectStatus([200, 201, INCOMPLETE_STATUS, NOT_FOUND_STATUS], {
        url,
        method: 'PUT',
        headers: { 'content-range': range },
        body: bytes.subarray(at - from),
      });
      if (status === NOT_FOUND_STATUS) throw new Error('The store has aborted the upload');
      if (status !== INCOMPLETE_STATUS) return;
      const taken = Number(/^bytes=0-(\d+)$/.exec(String(headers.range))?.[1] ?? -1) + 1;
      if (taken === end && !isLast) return;
      if (taken <= at || taken >= end) throw new Error('The store does not accept more of the upload');
      at = taken;
    }
  }

  private uploadUrl(key: string, uploadType: string): string {
    const query = new URLSearchParams({ uploadType, name: key });
    return `${this.store}/upload/storage/v1/b/${encodeURIComponent(this.place.bucket)}/o?${query.toString()}`;
  }

  private async expectStatus(wanted: readonly number[], request: OutboundRequest): Promise<OutboundResponse> {
    const authorization = `Bearer ${await this.bearer()}`;
    const headers = { 'content-type': CONTENT_TYPE, ...request.headers, authorization };
    return this.http.expectStatus(wanted, { ...request, headers });
  }

  private bearer(): Promise<string> {
    if (!this.token || this.token.expiresAt < Date.now()) {
      const text = this.newToken();
      const token = { text, expiresAt: Date.now() + TOKEN_SECONDS * 1000 - EXPIRY_MARGIN_MS };
      text.catch(() => this.token === token && (this.token = undefined));
      this.token = token;
    }
    return this.token.text;
  }

  /** Requests a token for the service account, valid for one hour (RFC 7523). */
  private async newToken(): Promise<string> {
    const { clientEmail, privateKey } = this.place;
    const assertion = jwt.sign({ scope: SCOPE }, privateKey, {
      algorithm: 'RS256',
      issuer: clientEmail,
      audience: this.tokens,
      expiresIn: TOKEN_SECONDS,
    });
    const { status, body } = await this.http.expectStatus([200, 400], {
      url: this.tokens,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    });
    if (status === 400) throw new ArchiveRejected('access');
    const { access_token: token } = JSON.parse(body.toString()) as { access_token?: unknown };
    if (typeof token !== 'string') throw new Error('The store returned no token');
    return token;
  }
}
