import type { Statement } from '../../platform/database/database.js';
import { shaped } from '../../platform/database/statements.js';

/** A version of a workflow, as answers name it; that which is being developed has no id. */
export interface Version {
  flowVersionId?: string;
  flowVersion: string;
}

/** Runs of one workflow, or of one version of it, as the conditions of a statement over `r`. */
export class RunScope {
  private readonly conditions: string[] = [];
  private readonly values: unknown[] = [];

  constructor(flowId: string, version?: Version) {
    this.where('r.flow_id = ?', flowId);
    if (version?.flowVersionId) this.where('r.flow_version_id = ?', version.flowVersionId);
    else if (version) this.where('r.flow_version_id IS NULL');
  }

  /** Only runs of which `condition` holds; its `?` is the value. */
  where(condition: string, value?: unknown): void {
    this.conditions.push(value === undefined ? condition : condition.replace('?', this.bind(value)));
  }

  /** A parameter with that value. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** A statement about these runs: `select`, the conditions, `rest`. */
  statement(select: string, rest: string): Statement {
    return shaped(`${select} WHERE ${this.conditions.join(' AND ')} ${rest}`, this.values);
  }
}
