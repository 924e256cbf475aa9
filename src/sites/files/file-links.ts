import { Injectable } from '@nestjs/common';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Config } from '../../config/config.js';
import { loadSecretsKey } from '../../lib/crypto/keys.js';
import { RunsIn } from '../../platform/processes/roles.js';

const KEY_BYTES = 32;

/** A link to a private file. */
interface PrivateLink {
  readonly applicationId: string;
  /** Names from the root to the file. */
  readonly names: readonly string[];
  /** End of the validity, in seconds since 1970. */
  readonly expires: number;
}

/** Addresses of files on the host of files, which is apart from all sites and from the API. */
@Injectable()
@RunsIn('sites')
export class FileLinks {
  private readonly key: Buffer;

  constructor(private readonly config: Config) {
    const { SECRETS_KEY: configured, dataDir } = config;
    const secret = loadSecretsKey({ configured, dataDir });
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'links to private files of sites', KEY_BYTES));
  }

  /** Returns the URL of a public file, with or without a slash at the start of the path. */
  publicUrl(applicationId: string, path: string): string {
    return `${this.config.publicFilesUrl}/${applicationId}/${encodedPath(namesOf(path))}`;
  }

  /** Returns the URL at which anyone can read a private file for a number of seconds. */
  privateUrl(applicationId: string, path: string, ttl: number): string {
    const names = namesOf(path);
    const expires = Math.floor(Date.now() / 1000) + ttl;
    const signature = this.sign({ applicationId, names, expires }).toString('base64url');
    const base = this.config.siteUrl('files');
    return `${base}/private/${applicationId}/${encodedPath(names)}?expires=${expires}&signature=${signature}`;
  }

  /** Returns whether a link to a private file is valid. */
  isValid(link: PrivateLink, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    const own = this.sign(link);
    return given.length === own.length && timingSafeEqual(given, own) && link.expires * 1000 > Date.now();
  }

  private sign({ applicationId, names, expires }: PrivateLink): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([applicationId, names, expires]))
      .digest();
  }
}

const namesOf = (path: string): string[] =>
  path.toWellFormed().replace(/^\/+/, '').normalize('NFC').split('/');

const encodedPath = (names: readonly string[]): string => names.map(encodeURIComponent).join('/');
