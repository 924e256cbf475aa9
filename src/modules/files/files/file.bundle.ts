import { filePart } from '../../../platform/bundles/bundle-names.js';
import { bundled, type BundleOption } from '../../../platform/bundles/bundled.js';
import type { Holding } from '../../../platform/holdings/holding.js';
import { isWholeSql } from './file.columns.js';
import { FilePost, FILES } from './file.resource.js';
import type { StoredFile } from './stored-file.js';

/** Maximum length of a path in bytes of UTF-8. Files with longer paths have another name in the bundle. */
const MAX_PATH_LENGTH = 1_000;

/** Files with their contents and directories in bundles. Contents of directories that are being deleted are omitted. */
export const bundledFiles = <T extends StoredFile>(
  holding: Holding<T>,
  { folder, word: placeholderWord, option }: { folder: string; word: string; option: BundleOption },
) =>
  bundled<StoredFile, FilePost>({
    holding,
    resourceType: placeholderWord.charAt(0).toUpperCase() + placeholderWord.slice(1),
    placeholderWord,
    place: { file: () => folder },
    post: FilePost,
    // The size is that of the content.
    omitted: ['fileSize'],
    option,
    where: isWholeSql(holding.table),
    content: { kind: 'blob', path: (file) => contentPath(folder, file), ending: '' },
    row: ({ name, type, contentType, fileDimensions }) => ({
      name,
      type,
      contentType,
      fileDimensions,
      status: type === 'directory' ? 'completed' : 'pending',
    }),
  });

export const BUNDLED_FILES = bundledFiles(FILES, { folder: 'files', word: 'file', option: 'includeFiles' });

function contentPath(folder: string, { type, parentDirectory, name }: StoredFile): string | undefined {
  if (type !== 'file') return undefined;
  const names = [...parentDirectory.split('/').filter(Boolean), name].map(filePart);
  const path = [folder, ...names].join('/');
  return Buffer.byteLength(path) > MAX_PATH_LENGTH ? `${folder}/long_name` : path;
}
