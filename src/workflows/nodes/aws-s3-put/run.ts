import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { signed } from '../aws/aws-requests.js';
import { objectRequest, s3Object } from '../aws/s3-objects.js';
import { encoding } from '../encodings.js';
import { exchange, fetched, serviceFault } from '../http-services.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    contentTypeTemplate: setting.requiredTemplate,
    fileUrlTemplate: setting.optional(setting.template),
    fileContentTemplate: setting.template,
    encodingTemplate: setting.template,
    serverSideEncryption: setting.flag(),
    destination: setting.target,
  }),
  s3Object,
);

type PutSettings = setting.Read<typeof settings>;

export const run: NodeRun<PutSettings> = {
  settings,
  prepare:
    (config, { meta }) =>
    async (path) => {
      const { payload } = path;
      const { data } = payload;
      const headers = {
        'content-type': config.contentTypeTemplate(data),
        ...(config.serverSideEncryption && { 'x-amz-server-side-encryption': 'AES256' }),
      };
      const key = await config.keyOf(path);
      try {
        const body = await contentOf(config, path, meta?.mode);
        const request = objectRequest(config, key, data, { method: 'PUT', headers, body });
        await exchange(path, await signed(request, key));
        config.destination(payload, { success: true });
      } catch (error) {
        config.destination(payload, { success: false, error: serviceFault(error).message });
      }
      return undefined;
    },
};

async function contentOf(config: PutSettings, path: RunPath, mode: unknown): Promise<Buffer> {
  const { data } = path.payload;
  if (config.fileUrlTemplate && mode !== 'text')
    return (await fetched(path, config.fileUrlTemplate(data))).body;
  return Buffer.from(
    config.fileContentTemplate(data),
    encoding(config.encodingTemplate(data), 'encodingTemplate'),
  );
}
