import { SignatureV4 } from '@smithy/signature-v4';
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { HttpCall } from '../../engine/ports.js';
import type { AwsKey } from './aws-key.js';

/** Request to a service of AWS. */
export interface AwsRequest {
  /** Name of the service in signatures, such as `s3`. */
  readonly service: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly host: string;
  /** Encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Returns the host of a service in a region. */
export const awsHost = (service: string, { region }: AwsKey): string =>
  `${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** Signs a request (AWS Signature Version 4). */
export async function signed(request: AwsRequest, key: AwsKey): Promise<HttpCall> {
  const { body = '' } = request;
  const hash = createHash('sha256').update(body).digest('hex');
  const { headers } = await signerOf(request, key).sign(
    unsigned(request, { ...request.headers, 'x-amz-content-sha256': hash }),
  );
  // The client sets this header from the URL.
  const { host: _, ...sent } = headers;
  return {
    url: `https://${request.host}${request.path}`,
    method: request.method,
    headers: sent,
    secretHeaders: Object.keys(sent),
    ...(body.length > 0 && { body }),
  };
}

/** The hash of S3 for content that is not known when a link is signed. */
const UNSIGNED_CONTENT = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

/** Returns a URL with the signature of a request, valid for some seconds. */
export async function signedUrl(request: AwsRequest, key: AwsKey, expiresIn: number): Promise<string> {
  const { query = {} } = await signerOf(request, key).presign(unsigned(request, UNSIGNED_CONTENT), {
    expiresIn,
  });
  const search = new URLSearchParams(query as Record<string, string>);
  return `https://${request.host}${request.path}?${search.toString()}`;
}

const signerOf = ({ service }: AwsRequest, { region, ...credentials }: AwsKey): SignatureV4 =>
  new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    // S3 signs paths as they are sent.
    uriEscapePath: service !== 's3',
  });

const unsigned = ({ method, host, path, body }: AwsRequest, headers: Record<string, string>) => ({
  method,
  protocol: 'https:',
  hostname: host,
  path,
  headers: { host, ...headers },
  body,
});

/** Hash function for the signer. */
class Sha256 {
  private hash!: Hash | Hmac;

  constructor(private readonly secret?: string | ArrayBuffer | ArrayBufferView) {
    this.reset();
  }

  reset(): void {
    this.hash = this.secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(this.secret));
  }

  update(data: string | Uint8Array): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
