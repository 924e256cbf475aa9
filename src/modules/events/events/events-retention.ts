import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { OwnerRetention } from '../../../platform/database/owner-retention.js';

/** Deletes events that are older than the data retention of the application's owner. */
@Injectable()
export class EventsRetention extends OwnerRetention {
  constructor(database: Database) {
    super(database, 'events', 'creation_date');
  }
}
