import { QueryInteger } from '../../../platform/lists/query-fields.js';
import { FilesQuery, MoveQuery } from '../files/files.query.js';

const URL_TTL = {
  description: 'Validity of links to contents in seconds, at most one week; 0 returns no links.',
  minimum: 0,
  maximum: 7 * 86_400,
  default: 900,
};

/** Query parameters of operations that return links. */
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
