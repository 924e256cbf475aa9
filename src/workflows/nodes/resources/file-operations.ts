import type { RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import type { Compiled } from '../../language/compile.js';
import { integerWithin } from '../run-values.js';
import { callApi } from './call-api.js';

/** Seconds of a week. */
const MAX_URL_TTL = 7 * 86_400;
const DEFAULT_URL_TTL = 900;

/** Operations on public and on private files; the latter have another name for the same parameter. */
const OPERATIONS = {
  public: { get: 'file.get', create: 'files.post', delete: 'file.delete', id: 'fileId' },
  private: {
    get: 'privateFile.get',
    create: 'privateFiles.post',
    delete: 'privateFile.delete',
    id: 'privateFileId',
  },
} as const;

const operationsOn = (isPrivate: boolean) => OPERATIONS[isPrivate ? 'private' : 'public'];

/** Returns the parameter for the validity of links, which only private files have. */
export function linkParameters(
  isPrivate: boolean,
  urlTTLTemplate: Compiled<number>,
  data: unknown,
): { readonly urlTTL?: number } {
  if (!isPrivate) return {};
  const seconds = urlTTLTemplate(data);
  return {
    urlTTL: Number.isNaN(seconds)
      ? DEFAULT_URL_TTL
      : integerWithin(seconds, 'urlTTLTemplate', 0, MAX_URL_TTL),
  };
}

/** Returns a file with the link to its content. */
export const getFile = (
  path: RunPath,
  isPrivate: boolean,
  fileId: string,
  parameters: object,
): Promise<ApiResult> => {
  const { get, id } = operationsOn(isPrivate);
  return callApi(path, get, { [id]: fileId, ...parameters });
};

/** Creates a file without content. */
export const createFile = (path: RunPath, isPrivate: boolean, file: object): Promise<ApiResult> =>
  callApi(path, operationsOn(isPrivate).create, {}, file);

export const deleteFile = (path: RunPath, isPrivate: boolean, fileId: string): Promise<ApiResult> => {
  const { delete: operation, id } = operationsOn(isPrivate);
  return callApi(path, operation, { [id]: fileId });
};
