import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import type { SafeHttp } from '../../../lib/http/safe-http.js';
import { isTransient } from './archive-http.js';
import {
  ArchiveRejected,
  CONTENT_TYPE,
  PART_BYTES,
  PART_TIMEOUT_MS,
  type ArchiveFault,
  type ArchivePlace,
  type ArchiveStore,
} from './archive-store.js';

type S3Place = Extract<ArchivePlace, { kind: 's3' }>;

/** Faults in the settings indicated by response statuses. */
const FAULTS: Readonly<Record<number, ArchiveFault>> = { 301: 'region', 403: 'access', 404: 'bucket' };
/** Faults in the settings indicated by error codes, regardless of the status. */
const FAULTS_BY_CODE: Readonly<Record<string, ArchiveFault | undefined>> = {
  AuthorizationHeaderMalformed: 'region',
  NoSuchUpload: undefined,
};

/** A bucket of S3, or of a compatible store at `endpoint`. */
export class S3Archive implements ArchiveStore {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ bucket, region, accessKeyId, secretAccessKey }: S3Place, http: SafeHttp, endpoint?: string) {
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      // Passed in full: the SDK would read missing values from the environment of the platform.
      credentials: { accessKeyId, secretAccessKey },
      ...(endpoint && { endpoint, forcePathStyle: true }),
      requestHandler: handlerOn(http),
    });
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const params = {
      Bucket: this.bucket,
      Key: key,
      ContentType: CONTENT_TYPE,
      Body: Readable.from(content, { objectMode: false }),
    };
    try {
      await new Upload({ client: this.client, params, partSize: PART_BYTES, queueSize: 1 }).done();
    } catch (error) {
      const fault = error instanceof S3ServiceException && faultOf(error);
      throw fault ? new ArchiveRejected(fault, { cause: error }) : error;
    }
  }
}

const faultOf = ({ name, $metadata }: S3ServiceException): ArchiveFault | undefined =>
  Object.hasOwn(FAULTS_BY_CODE, name) ? FAULTS_BY_CODE[name] : FAULTS[$metadata.httpStatusCode ?? 0];

/** Marks an error as retryable for the SDK. */
const RETRYABLE = { $retryable: {} };

/** Makes the SDK send requests through the client that enforces the outbound connection rules. */
function handlerOn(http: SafeHttp) {
  return {
    async handle({ protocol, hostname, port, path, query, method, headers, body }: Sent) {
      const pairs = Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text ?? '')}`),
      );
      const search = pairs.length > 0 ? `?${pairs.join('&')}` : '';
      const url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}${search}`;
      // Dropped because the body is sent immediately; the signature does not cover this header.
      const { Expect: _, expect: __, ...sent } = headers;
      const request = {
        url,
        method,
        headers: sent,
        body: body as Buffer | string | undefined,
        timeoutMs: PART_TIMEOUT_MS,
      };
      const answer = await http.request(request).catch((error: unknown) => {
        throw isTransient(error) ? Object.assign(error as Error, RETRYABLE) : error;
      });
      const response = {
        statusCode: answer.status,
        headers: headersOf(answer.headers),
        body: Readable.from([answer.body]),
      };
      return { response };
    },
  };
}

/** A request of the SDK. Bodies are upload parts in memory. */
interface Sent {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query: Record<string, string | string[] | null>;
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
