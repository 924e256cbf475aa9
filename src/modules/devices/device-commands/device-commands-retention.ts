import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { OwnerRetention } from '../../../platform/database/owner-retention.js';

/** Deletes commands that are older than the data retention period of the application's owner. */
@Injectable()
export class DeviceCommandsRetention extends OwnerRetention {
  constructor(database: Database) {
    super(database, 'device_commands');
  }
}
