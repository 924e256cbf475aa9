import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { OwnerRetention } from '../../../platform/database/owner-retention.js';

/** Removes events that are older than the owner of the application keeps data. */
@Injectable()
export class EventsRetention extends OwnerRetention {
  constructor(database: Database) {
    super(database, 'events', 'creation_date');
  }
}
