import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';

/** Builds the public URLs of file contents. */
@Injectable()
export class FileAddresses {
  constructor(private readonly config: Config) {}

  /** Returns the public URL of a file. */
  publicUrl(applicationId: string, directory: string, name: string): string {
    const path = `${directory}${name}`.split('/').map(encodeURIComponent).join('/');
    return `${this.config.publicFilesUrl}/${applicationId}${path}`;
  }
}
