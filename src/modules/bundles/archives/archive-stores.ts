import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import type { ArchivePlace, ArchiveStore } from './archive-store.js';
import { AzureArchive } from './azure-archive.js';
import { GcsArchive } from './gcs-archive.js';

type Kind = ArchivePlace['kind'];

/** Opens the stores of archives. */
@Injectable()
export class ArchiveStores {
  private readonly endpoints: Readonly<Record<Kind, string | undefined>>;
  private readonly clients: Readonly<Record<Kind, SafeHttp>>;

  constructor(config: Config) {
    this.endpoints = {
      s3: origin(config.ARCHIVE_S3_ENDPOINT),
      gcs: origin(config.ARCHIVE_GCS_ENDPOINT),
      azure: origin(config.ARCHIVE_AZURE_ENDPOINT),
    };
    // Endpoints that the operator configured may be in private networks, each only for its own kind of place.
    const client = (kind: Kind) => {
      const endpoint = this.endpoints[kind];
      return new SafeHttp({ allowedOrigins: endpoint ? [endpoint] : [] });
    };
    this.clients = { s3: client('s3'), gcs: client('gcs'), azure: client('azure') };
  }

  /** Loads the S3 SDK on first use only. */
  async open(place: ArchivePlace): Promise<ArchiveStore> {
    switch (place.kind) {
      case 's3': {
        const { S3Archive } = await import('./s3-archive.js');
        return new S3Archive(place, this.clients.s3, this.endpoints.s3);
      }
      case 'gcs':
        return new GcsArchive(place, this.clients.gcs, this.endpoints.gcs);
      case 'azure':
        return new AzureArchive(place, this.clients.azure, this.endpoints.azure);
    }
  }
}

const origin = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
