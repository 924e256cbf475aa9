import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult, FileContent } from '../../engine/ports.js';
import { encoding } from '../encodings.js';
import { errorObject, fetched } from '../http-services.js';
import { createFile, deleteFile, linkParameters } from '../resources/file-operations.js';
import { actorOf } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.group({
  fileNameTemplate: setting.requiredTemplate,
  parentDirectoryTemplate: setting.template,
  contentTypeTemplate: setting.template,
  fileContentsTemplate: setting.template,
  fileUrlTemplate: setting.optional(setting.requiredTemplate),
  encodingTemplate: setting.template,
  shouldOverwrite: setting.flag(),
  private: setting.flag(),
  urlTTLTemplate: setting.number(),
  resultPath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const stored = await store(config, path);
    const result =
      'error' in stored
        ? { error: { type: 'FILE_CREATE_ERROR', message: stored.error.message } }
        : stored.result;
    config.resultPath(payload, result);
    return undefined;
  },
};

async function store(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const { files } = path.run.ports;
  const isPrivate = config.private;
  const name = config.fileNameTemplate(data);
  const directory = config.parentDirectoryTemplate(data) || '/';
  const links = linkParameters(isPrivate, config.urlTTLTemplate, data);
  const given = await contentOf(config, path);
  if ('error' in given) return given;
  const { content, contentType } = given;
  const upload = (id: string, file: FileContent) => files.upload(actorOf(path), isPrivate, id, file, links);
  // A name with a slash would be a path; it is refused below.
  if (config.shouldOverwrite && !name.includes('/')) {
    const found = await files.find(actorOf(path), isPrivate, `${directory.replace(/\/$/, '')}/${name}`);
    if ('error' in found) return found;
    if (found.result !== null) return upload(found.result as string, given);
  }
  const created = await createFile(path, isPrivate, {
    name,
    type: 'file',
    parentDirectory: directory,
    ...(contentType !== '' && { contentType }),
    fileSize: content.length,
  });
  if ('error' in created) return created;
  const { id } = created.result as { id: string };
  // The created file has its type already, including the parameters, which uploads leave out.
  const filled = await upload(id, { content, contentType: '' });
  if ('error' in filled) await deleteFile(path, isPrivate, id);
  return filled;
}

/** Returns the content of a URL or a template. */
async function contentOf(
  config: Settings,
  path: RunPath,
): Promise<FileContent | Extract<ApiResult, { error: unknown }>> {
  const { data } = path.payload;
  const contentType = config.contentTypeTemplate(data).trim();
  if (!config.fileUrlTemplate) {
    const charset = encoding(config.encodingTemplate(data), 'encodingTemplate');
    return { content: Buffer.from(config.fileContentsTemplate(data), charset), contentType };
  }
  try {
    const { body } = await fetched(path, config.fileUrlTemplate(data));
    return { content: body, contentType };
  } catch (error) {
    return { error: { ...errorObject(error).error, statusCode: 502 } };
  }
}
