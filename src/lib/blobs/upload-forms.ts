import { createHmac, hkdfSync } from 'node:crypto';
import { equalSecrets } from '../crypto/hashes.js';
import { Forbidden } from '../errors/errors.js';
import { checkKey, type UploadForm, type UploadConstraints } from './blobs.js';

/** The upload that a form permits. */
export interface AllowedUpload {
  key: string;
  bytes: UploadConstraints['bytes'];
}

type Condition = Record<string, string> | ['content-length-range', number, number];

interface Policy {
  expiration: string;
  conditions: Condition[];
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const BUCKET = 'blobs';
/** Fields that a form can omit although a condition names them: with S3, the address already names the bucket. */
const OPTIONAL_FIELDS = new Set(['bucket']);
/** Fields that no condition names, since they carry the conditions. */
const SIGNATURE_FIELDS = new Set(['policy', 'x-amz-signature']);

/**
 * Forms in the shape of S3's POST policies that the platform itself serves: clients that can upload to S3 can upload
 * here. The policy fixes the value of every other field, and its signature authorizes the upload.
 */
export class UploadForms {
  private readonly key: Buffer;

  /** `url` is the target of forms; `signingKey` is a secret shared by all processes of the installation. */
  constructor(
    private readonly url: string,
    signingKey: Buffer,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', signingKey, '', 'blob upload forms', 32));
  }

  make(key: string, { contentType, bytes, expiresIn }: UploadConstraints, now: Date): UploadForm {
    const date = now.toISOString().replace(/[-:]|\.\d+/g, '');
    const named = {
      bucket: BUCKET,
      key: checkKey(key),
      'Content-Type': contentType,
      'X-Amz-Algorithm': ALGORITHM,
      'X-Amz-Credential': `platform/${date.slice(0, 8)}/local/s3/aws4_request`,
      'X-Amz-Date': date,
    };
    const policy: Policy = {
      expiration: new Date(now.getTime() + expiresIn * 1000).toISOString(),
      conditions: [
        ['content-length-range', bytes.least, bytes.most],
        ...Object.entries(named).map(([name, value]) => ({ [name]: value })),
      ],
    };
    const encoded = Buffer.from(JSON.stringify(policy)).toString('base64');
    return { url: this.url, fields: { ...named, Policy: encoded, 'X-Amz-Signature': this.sign(encoded) } };
  }

  /**
   * Returns the upload that a form permits if it is still valid at `now`; `fields` are the submitted fields, keyed by
   * name in lower case. Throws `Forbidden` for a form that has expired or was tampered with.
   */
  verify(fields: ReadonlyMap<string, string>, now: Date): AllowedUpload {
    const encoded = fields.get('policy') ?? '';
    if (!equalSecrets(fields.get('x-amz-signature') ?? '', this.sign(encoded)))
      throw new Forbidden('The signature of the form is missing or invalid; fields must precede the file');
    const policy = JSON.parse(Buffer.from(encoded, 'base64').toString()) as Policy;
    if (Date.parse(policy.expiration) <= now.getTime()) throw new Forbidden('The form has expired');
    const known = new Set(SIGNATURE_FIELDS);
    let bytes: UploadConstraints['bytes'] = { least: 0, most: 0 };
    for (const condition of policy.conditions) {
      if (Array.isArray(condition)) bytes = { least: condition[1], most: condition[2] };
      else {
        const [name, value] = Object.entries(condition)[0]!;
        const field = name.toLowerCase();
        known.add(field);
        if (!fields.has(field) && OPTIONAL_FIELDS.has(field)) continue;
        if (fields.get(field) !== value) throw new Forbidden(`${name} does not match the form`);
      }
    }
    for (const name of fields.keys())
      if (!known.has(name)) throw new Forbidden(`${name} is not a field of the form`);
    return { key: fields.get('key')!, bytes };
  }

  private sign(policy: string): string {
    return createHmac('sha256', this.key).update(policy).digest('hex');
  }
}
