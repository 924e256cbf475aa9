import { ObjectId } from 'bson';
import { PrimaryColumn } from 'typeorm';
import { DateField, IdField } from '../fields/fields.js';

/** A new id: 24 lower-case hexadecimal digits that sort by the time they were made. */
export function newId(): string {
  return new ObjectId().toHexString();
}

/** What every stored resource has: an id and its two dates. Statements set all three. */
export abstract class Resource {
  @PrimaryColumn({ type: 'text' })
  @IdField({ description: 'The id, 24 hexadecimal digits.', required: true, column: false })
  id: string;

  @DateField({ description: 'When it was created.', required: true })
  creationDate: Date;

  @DateField({ description: 'When it was last changed.', required: true })
  lastUpdated: Date;
}
