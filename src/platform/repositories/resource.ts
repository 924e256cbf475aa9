import { PrimaryColumn } from 'typeorm';
import { DateField, IdField } from '../fields/fields.js';

export { newId } from '../../lib/ids/ids.js';

/** Properties of all stored resources: the ID and two dates. Statements set all three. */
export abstract class Resource {
  @PrimaryColumn({ type: 'text' })
  @IdField({ description: 'ID of the resource, 24 hexadecimal digits.', required: true, column: false })
  id: string;

  @DateField({ description: 'Time of creation, in UTC.', required: true })
  creationDate: Date;

  @DateField({ description: 'Time of the last change, in UTC.', required: true })
  lastUpdated: Date;
}
