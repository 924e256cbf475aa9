import { QueryInteger } from '../../../platform/lists/query-fields.js';
import { FilesQuery, MoveQuery } from '../files/files.query.js';

const URL_TTL = {
  description: 'How many seconds links to contents work, a week at most; 0 for no links.',
  minimum: 0,
  maximum: 7 * 86_400,
  default: 900,
};

/** The query of an answer with links. */
export class LinkQuery {
  @QueryInteger(URL_TTL)
  urlTTL: number;
}

export class PrivateFilesQuery extends FilesQuery {
  @QueryInteger(URL_TTL)
  urlTTL: number;
}

export class PrivateFileMoveQuery extends MoveQuery {
  @QueryInteger(URL_TTL)
  urlTTL: number;
}
