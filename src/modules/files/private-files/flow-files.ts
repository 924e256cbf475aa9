import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { BlobMissing, BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { ApiError, NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { WorkflowCalls } from '../../../platform/calls/workflow-calls.js';
import { MAX_PAYLOAD_BYTES } from '../../../workflows/engine/limits.js';
import type { Actor, ApiResult, FileContent, FilesPort } from '../../../workflows/engine/ports.js';
import { parsePath } from '../files/file-path.js';
import { FilesRepository } from '../files/files.repository.js';
import { PrivateFilesRepository } from './private-files.repository.js';

const UNKNOWN_TYPE = 'application/octet-stream';

/** Contents of files, for runs. */
@Injectable()
export class FlowFiles implements FilesPort {
  constructor(
    private readonly publicFiles: FilesRepository,
    private readonly privateFiles: PrivateFilesRepository,
    private readonly calls: WorkflowCalls,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  find({ applicationId }: Actor, isPrivate: boolean, path: string): Promise<ApiResult> {
    return answering(async () => {
      const names = parsePath(path, 'The path');
      const last = (await this.treeOf(isPrivate).walk(applicationId, names)).at(-1)!;
      return last.level === names.length && last.level > 0 ? last.id : null;
    });
  }

  read({ applicationId }: Actor, isPrivate: boolean, fileId: string): Promise<ApiResult> {
    return answering(async () => {
      const keys = await this.treeOf(isPrivate).contentKeys(applicationId, [fileId]);
      const key = keys.get(fileId);
      if (key === undefined) throw new NotFound('Content of the file');
      return bounded(await this.blobs.read(key));
    });
  }

  upload(
    actor: Actor,
    isPrivate: boolean,
    fileId: string,
    { content, contentType }: FileContent,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<ApiResult> {
    const file = { content, contentType: contentType || UNKNOWN_TYPE };
    return isPrivate
      ? this.calls.upload(actor, 'privateFile.upload', { ...parameters, privateFileId: fileId }, file)
      : this.calls.upload(actor, 'file.upload', { ...parameters, fileId }, file);
  }

  private treeOf(isPrivate: boolean): FilesRepository | PrivateFilesRepository {
    return isPrivate ? this.privateFiles : this.publicFiles;
  }
}

async function bounded(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PAYLOAD_BYTES)
      throw new ValidationError(`The file has more than ${MAX_PAYLOAD_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns errors as the API does. Content that is replaced while it is read does not exist. */
async function answering(work: () => Promise<unknown>): Promise<ApiResult> {
  try {
    return { result: await work() };
  } catch (thrown) {
    const error = thrown instanceof BlobMissing ? new NotFound('Content of the file') : thrown;
    if (!(error instanceof ApiError)) throw error;
    return { error: { type: error.type, message: error.message, statusCode: error.status } };
  }
}
