import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { TODAY } from './flow-storage.columns.js';

/** A node of a workflow, and the hash of the identifier whose state it keeps. */
export interface NodeStateKey {
  applicationId: string;
  flowId: string;
  nodeId: string;
  identifier: string;
}

/** A stored state. `isOld` if it has not been used today. */
export interface NodeState {
  state: unknown;
  revision: number;
  isOld: boolean;
}

/** Maximum number of states of a workflow. The oldest are removed when it is exceeded. */
const MAX_STATES = 50_000;
/** States over the maximum are searched for once in this number of insertions, because counting them is expensive. */
const INSERTIONS_PER_REMOVAL = 500;

const ONE = 't.flow_id = $1 AND t.node_id = $2 AND t.identifier = $3 AND t.application_id = $4';
const FIND = `SELECT t.state, t.revision, t.last_updated < ${TODAY} AS is_old FROM flow_node_states t WHERE ${ONE}`;
const INSERT = `INSERT INTO flow_node_states (flow_id, node_id, identifier, application_id, state, revision, last_updated)
  SELECT $1, $2, $3, $4, $5::jsonb, 0, ${TODAY} FROM flows f WHERE f.id = $1 AND f.application_id = $4
  ON CONFLICT DO NOTHING RETURNING 1`;
const REPLACE = `UPDATE flow_node_states t SET state = $5::jsonb, revision = (t.revision + 1) % 2147483647, last_updated = ${TODAY}
  WHERE ${ONE} AND t.revision = $6 RETURNING 1`;
const TRIM = `DELETE FROM flow_node_states WHERE ctid = ANY (ARRAY(
  SELECT t.ctid FROM flow_node_states t WHERE t.flow_id = $1 ORDER BY t.last_updated DESC OFFSET $2 LIMIT 1000))`;

/** Stores the states that nodes keep between runs. */
@Injectable()
export class FlowNodeStatesRepository {
  private insertions = 0;

  constructor(private readonly database: Database) {}

  /** Returns the state of a node, or `undefined`. */
  async find(key: NodeStateKey): Promise<NodeState | undefined> {
    const [row] = await this.database.rows<NodeState>(prepared(FIND, valuesOf(key)));
    return row;
  }

  /**
   * Stores a state if the stored one still has the revision, or if none is stored (`undefined`). Returns whether it did.
   */
  async write(key: NodeStateKey, state: unknown, revision: number | undefined): Promise<boolean> {
    const values = [...valuesOf(key), JSON.stringify(state)];
    if (revision !== undefined)
      return (await this.database.run(prepared(REPLACE, [...values, revision]))).length > 0;
    const isNew = (await this.database.run(prepared(INSERT, values))).length > 0;
    if (isNew && ++this.insertions % INSERTIONS_PER_REMOVAL === 0)
      await this.database.run(prepared(TRIM, [key.flowId, MAX_STATES]));
    return isNew;
  }
}

const valuesOf = ({ flowId, nodeId, identifier, applicationId }: NodeStateKey): string[] => [
  flowId,
  nodeId,
  identifier,
  applicationId,
];
