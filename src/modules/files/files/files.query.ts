import { listQuery, QueryChoice, QueryText } from '../../../platform/lists/query-fields.js';
import { FILE_TYPES, type FileType } from './stored-file.js';

/** The query of a list of files of either kind. */
export class FilesQuery extends listQuery({
  sort: ['lastUpdated', 'type', 'name', 'creationDate'],
  defaultSort: 'lastUpdated',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
}) {
  @QueryChoice(FILE_TYPES, { required: false, description: 'Files alone, or directories alone.' })
  type?: FileType;

  @QueryChoice(['completed', 'pending'], {
    required: false,
    description: 'Those alone that are complete, or those whose content has not come.',
  })
  status?: 'completed' | 'pending';

  @QueryText({
    maxLength: 1024,
    description:
      'What is directly in this directory, `/` for the root; absent, what is in any. Of a directory that is not there nothing is listed.',
    example: '/images/',
  })
  directory?: string;
}

/** Where a file moves. */
export class MoveQuery {
  @QueryText({ maxLength: 1024, description: 'Its new name; absent, the same.', example: 'pump-2.png' })
  name?: string;

  @QueryText({
    maxLength: 1024,
    description:
      'The directory that it moves into, `/` for the root; it is made where it is missing. Absent, the same.',
    example: '/archive/',
  })
  parentDirectory?: string;
}
