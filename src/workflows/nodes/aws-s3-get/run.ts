import type { OutboundResponse } from '../../../lib/http/safe-http.js';
import type { NodeRun } from '../../engine/node-run.js';
import { signed, signedUrl } from '../aws/aws-requests.js';
import { objectRequest, s3Object } from '../aws/s3-objects.js';
import { encoding } from '../encodings.js';
import { exchange, serviceFault } from '../http-services.js';
import * as setting from '../settings.js';

/** Validity of links in seconds. */
const LINK_SECONDS = 3600;

const settings = setting.all(
  setting.group({
    destination: setting.target,
    encodingTemplate: setting.template,
    isDownloadURL: setting.flag(),
  }),
  s3Object,
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const { data } = payload;
    const charset = encoding(config.encodingTemplate(data), 'encodingTemplate');
    const key = await config.keyOf(path);
    const request = objectRequest(config, key, data, { method: config.isDownloadURL ? 'HEAD' : 'GET' });
    try {
      const answer = await exchange(path, await signed(request, key));
      const value = config.isDownloadURL
        ? await signedUrl({ ...request, method: 'GET' }, key, LINK_SECONDS)
        : answer.body.toString(charset);
      config.destination(payload, { value, metadata: metadataOf(answer) });
    } catch (error) {
      config.destination(payload, { error: serviceFault(error).message });
    }
    return undefined;
  },
};

const metadataOf = ({ headers }: OutboundResponse): object => ({
  contentType: headers['content-type'],
  contentLength: Number(headers['content-length']),
  etag: headers.etag,
  lastModified: headers['last-modified'],
});
