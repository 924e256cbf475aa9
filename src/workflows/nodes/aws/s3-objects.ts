import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';
import { awsKey, type AwsKey } from './aws-key.js';
import { awsHost, type AwsRequest } from './aws-requests.js';

/** Settings of all nodes for objects of S3. */
export const s3Object = setting.all(
  setting.group({ bucketNameTemplate: setting.requiredTemplate, fileNameTemplate: setting.requiredTemplate }),
  awsKey('accessKeyIdTemplate', 'secretAccessKeyTemplate', 'regionTemplate'),
);

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns a request for the object that a node names, by path: names of buckets with dots have no certificate. */
export function objectRequest(
  config: setting.Read<typeof s3Object>,
  key: AwsKey,
  data: unknown,
  rest: Pick<AwsRequest, 'method' | 'headers' | 'body'>,
): AwsRequest {
  const segments = [config.bucketNameTemplate(data), ...config.fileNameTemplate(data).split('/')];
  // They would lead to another bucket.
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw invalidSetting('fileNameTemplate', 'must not have the segments . and ..');
  return { service: 's3', host: awsHost('s3', key), path: `/${segments.map(encoded).join('/')}`, ...rest };
}
