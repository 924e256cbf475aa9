import { joinedColumnsOf, type CauseDeclaration, type Columns } from './cause-declaration.js';
import { droppedSql, fireSql, joinedSql } from './cause-sql.js';

/** A declaration with its statements: for any number of firings, for a single one, and for dropped ones. */
export type Cause<D extends CauseDeclaration = CauseDeclaration> = D & {
  readonly text: string;
  readonly singleText?: string;
  /** Statement for many firings of one item each. It also returns what the engine needs to execute the runs. */
  readonly joined?: { readonly text: string; readonly columns: Columns };
  /** Statement that counts the runs that would be stored, as dropped ones. */
  readonly droppedText: string;
};

/** Completes a declaration with the texts of its statements. */
export function cause<const D extends CauseDeclaration>(declaration: D): Cause<D> {
  const { delivery, triggerCount }: CauseDeclaration = declaration;
  const isJoined = delivery === 'onReceipt' && typeof triggerCount === 'number';
  return {
    ...declaration,
    text: fireSql(declaration, false),
    singleText: triggerCount === undefined || isJoined ? undefined : fireSql(declaration, true),
    joined: isJoined
      ? { text: joinedSql(declaration, triggerCount), columns: joinedColumnsOf(declaration, triggerCount) }
      : undefined,
    droppedText: droppedSql(declaration),
  };
}
