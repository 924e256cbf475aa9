import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';

/** Where contents of files are read. */
@Injectable()
export class FileAddresses {
  constructor(private readonly config: Config) {}

  /** The address of a file that anybody may read. */
  publicUrl(applicationId: string, directory: string, name: string): string {
    const path = `${directory}${name}`.split('/').map(encodeURIComponent).join('/');
    return `${this.config.filesUrl}/files/${applicationId}${path}`;
  }
}
