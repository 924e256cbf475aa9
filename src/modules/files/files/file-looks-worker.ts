import { Injectable } from '@nestjs/common';
import { Repeated } from '../../../platform/database/repeated.js';
import { FileLooksRepository } from './file-looks.repository.js';
import { FileLooks } from './file-looks.js';

const INTERVAL_MS = 2_000;
const BATCH = 100;

/** Polls expected uploads and removes expired ones. */
@Injectable()
export class FileLooksWorker extends Repeated {
  constructor(
    private readonly looks: FileLooks,
    private readonly repository: FileLooksRepository,
  ) {
    super(INTERVAL_MS, 'Could not poll expected uploads');
  }

  protected override async batch(): Promise<boolean> {
    const [found, ended] = [await this.looks.lookForSome(BATCH), await this.repository.removeEnded(BATCH)];
    return found === BATCH || ended === BATCH;
  }
}
