import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { encoding } from '../encodings.js';
import { mapResult, notFound, resultOf } from '../resources/call-api.js';
import { getFile, linkParameters } from '../resources/file-operations.js';
import { actorOf } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.group({
  filePathTemplate: setting.requiredTemplate,
  private: setting.flag(),
  isDownloadURL: setting.flag(),
  encodingTemplate: setting.template,
  urlTTLTemplate: setting.number(),
  destination: setting.required(setting.target),
});

type Settings = setting.Read<typeof settings>;

/** A file, as far as the node reads it. */
interface FoundFile {
  readonly type: string;
  readonly status: string;
  readonly url?: string;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    config.destination(path.payload, resultOf(await readFile(config, path)));
    return undefined;
  },
};

async function readFile(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const { files } = path.run.ports;
  const isPrivate = config.private;
  const links = linkParameters(isPrivate, config.urlTTLTemplate, data);
  const found = await files.find(actorOf(path), isPrivate, config.filePathTemplate(data));
  if ('error' in found) return found;
  if (found.result === null) return notFound('File');
  const id = found.result as string;
  const answer = await getFile(path, isPrivate, id, links);
  if ('error' in answer) return answer;
  const metadata = answer.result as FoundFile;
  if (metadata.type === 'directory') return invalid('The path is that of a directory');
  if (metadata.status !== 'completed') return invalid('The file has no content yet');
  if (config.isDownloadURL) return { result: { value: metadata.url, metadata } };
  const charset = encoding(config.encodingTemplate(data), 'encodingTemplate');
  const content = await files.read(actorOf(path), isPrivate, id);
  return mapResult(content, (bytes: Buffer) => ({ value: bytes.toString(charset), metadata }));
}

const invalid = (message: string): ApiResult => ({ error: { type: 'Validation', message, statusCode: 400 } });
