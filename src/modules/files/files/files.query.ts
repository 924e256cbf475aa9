import { listQuery, QueryChoice, QueryText } from '../../../platform/lists/query-fields.js';
import { FILE_TYPES, type FileType } from './stored-file.js';

/** Query parameters of a list of public or private files. */
export class FilesQuery extends listQuery({
  sort: ['lastUpdated', 'type', 'name', 'creationDate'],
  defaultSort: 'lastUpdated',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
}) {
  @QueryChoice(FILE_TYPES, {
    title: 'FileType',
    required: false,
    description: 'Returns only files or only directories.',
  })
  type?: FileType;

  @QueryChoice(['completed', 'pending'], {
    title: 'FileCompletion',
    required: false,
    description: 'Returns only completed files or only those without content yet.',
  })
  status?: 'completed' | 'pending';

  @QueryText({
    maxLength: 1024,
    description:
      'Returns the direct contents of this directory, `/` for the root; all directories by default. The list is empty if the directory does not exist.',
    example: '/images/',
  })
  directory?: string;
}

/** New name and directory of a file. */
export class MoveQuery {
  @QueryText({ maxLength: 1024, description: 'New name; unchanged by default.', example: 'pump-2.png' })
  name?: string;

  @QueryText({
    maxLength: 1024,
    description:
      'Path of the new directory, `/` for the root; unchanged by default. Created if it does not exist.',
    example: '/archive/',
  })
  parentDirectory?: string;
}
