import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { OwnerRetention } from '../../../platform/database/owner-retention.js';

/** Deletes stored values of workflows that have not been used for the data retention of the application's owner. */
@Injectable()
export class FlowStorageRetention extends OwnerRetention {
  constructor(database: Database) {
    super(database, 'flow_storage', 'last_updated');
  }
}

/** Deletes states of nodes that have not been used for the data retention of the application's owner. */
@Injectable()
export class FlowNodeStateRetention extends OwnerRetention {
  constructor(database: Database) {
    super(database, 'flow_node_states', 'last_updated');
  }
}
