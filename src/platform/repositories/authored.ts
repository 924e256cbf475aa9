import type { Author } from '../audit/author.js';
import { ChoiceField, IdField } from '../fields/fields.js';
import { Resource } from './resource.js';

/** A resource that says who made it and who changed it last; repositories sign it. */
export abstract class AuthoredResource extends Resource {
  @IdField({ description: 'Who made it.' })
  createdById?: string;

  @ChoiceField(['flow', 'user', 'apiToken'], { description: 'What they are.', example: 'user' })
  createdByType?: 'flow' | 'user' | 'apiToken';

  @IdField({ description: 'Who changed it last.' })
  lastUpdatedById?: string;

  @ChoiceField(['flow', 'user', 'apiToken'], { description: 'What they are.', example: 'user' })
  lastUpdatedByType?: 'flow' | 'user' | 'apiToken';
}

/** The signature of whoever makes a row. */
export const createdBy = ({ id, signer }: Author) => ({ createdById: id, createdByType: signer });

/** The signature of whoever changes a row. */
export const changedBy = ({ id, signer }: Author) => ({ lastUpdatedById: id, lastUpdatedByType: signer });
