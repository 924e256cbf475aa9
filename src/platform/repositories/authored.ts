import type { Author } from '../audit/author.js';
import { ChoiceField, IdField } from '../fields/fields.js';
import { Resource } from './resource.js';

/** A resource with its creator and last editor, which repositories set. */
export abstract class AuthoredResource extends Resource {
  @IdField({ description: 'ID of the user, API token or workflow that created the resource.' })
  createdById?: string;

  @ChoiceField(['flow', 'user', 'apiToken'], { description: 'Type of the creator.', example: 'user' })
  createdByType?: 'flow' | 'user' | 'apiToken';

  @IdField({ description: 'ID of the user, API token or workflow that last changed the resource.' })
  lastUpdatedById?: string;

  @ChoiceField(['flow', 'user', 'apiToken'], { description: 'Type of the last editor.', example: 'user' })
  lastUpdatedByType?: 'flow' | 'user' | 'apiToken';
}

/** Returns the creator columns of a new row. */
export const createdBy = ({ id, signer }: Author) => ({ createdById: id, createdByType: signer });

/** Returns the editor columns of a changed row. */
export const changedBy = ({ id, signer }: Author) => ({ lastUpdatedById: id, lastUpdatedByType: signer });
