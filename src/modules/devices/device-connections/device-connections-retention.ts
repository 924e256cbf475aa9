import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { OwnerRetention } from '../../../platform/database/owner-retention.js';

/** Removes entries of the log that are older than the owner of the application keeps data. */
@Injectable()
export class DeviceConnectionsRetention extends OwnerRetention {
  constructor(database: Database) {
    super(database, 'device_connections');
  }
}
