import { bundledFiles } from '../files/file.bundle.js';
import { PRIVATE_FILES } from './private-file.resource.js';

export const BUNDLED_PRIVATE_FILES = bundledFiles(PRIVATE_FILES, {
  folder: 'privateFiles',
  word: 'privateFile',
  option: 'includePrivateFiles',
});
