import type { PayloadType } from '../../platform/payloads/payload-types.js';

/**
 * When the runs are committed:
 *
 * - `inTransaction`: with the change that causes them, in its transaction.
 * - `onReceipt`: before the sender receives a confirmation. No other change exists that could be committed without them.
 * - `afterCommit`: after the change. The caller receives a failure. A crash in between loses the runs, unless the sender
 *   repeats its request.
 * - `bestEffort`: like `afterCommit`, but a failure is logged and the caller never receives it.
 */
export type Delivery = 'inTransaction' | 'onReceipt' | 'afterCommit' | 'bestEffort';

/** Values of columns by PostgreSQL type. */
export interface SqlValues {
  bigint: number;
  boolean: boolean;
  int: number;
  text: string | null;
  timestamptz: Date;
}

/** Types of columns by property name. */
export type Columns = Readonly<Record<string, keyof SqlValues>>;

/** Declaration of one kind of cause. SQL refers to a trigger as `a`, a received item as `r`, and both have `firing`. */
export interface CauseDeclaration {
  readonly delivery: Delivery;
  /** Type of the payloads to count, even if no trigger matches. Omitted if the caller counts them. */
  readonly counts?: PayloadType;
  /** Condition for counting. */
  readonly countsIf?: string;
  /** Columns of `a` for `workflows`, in addition to `TRIGGER`. */
  readonly asks?: Columns;
  /** Columns of `r` for `accepts`, in addition to `ITEM`. */
  readonly items?: Columns;
  /**
   * Number of triggers of a firing, or `any` if it varies. A single firing with one item then has a statement of its own
   * with scalar parameters, because PostgreSQL plans every execution of a statement with short arrays again. Omitted if
   * firings are bulk writes, whose plans are made once.
   */
  readonly triggerCount?: number | 'any';
  /** Joins the triggers or workflows `g` that can run, and locks the workflows. */
  readonly workflows: string;
  /** SQL that restricts the items `r` by the configuration `l.config` of the trigger; omitted if all match. */
  readonly accepts?: string;
  /** Reduces an item to what `accepts` reads, so that equal ones are counted together if they are dropped. */
  readonly reduce?: (item: { given: string; time?: Date }) => { given: string; time: Date };
  /** SQL of the key of the trigger, if it is not the one that the caller names. */
  readonly triggerKey?: string;
  /** Property of items with the key in the payload, if it is not the key of the trigger. One payload is stored for each item and key. */
  readonly payloadKey?: string;
  /** Whether a workflow runs once per payload, even if several of its triggers match. */
  readonly isOncePerWorkflow?: true;
  /** Whether the workflows can be those of an experience, whose version has globals. */
  readonly isOfExperiences?: true;
  /** Whether triggers can select to receive the items that were sent together (`r.together`) as one payload. */
  readonly hasBatches?: true;
}

/** Columns of every trigger and item, and of items whose payload is counted. */
const TRIGGER = { firing: 'int', applicationId: 'text', version: 'text', type: 'text', key: 'text' } as const;
const ITEM = { firing: 'int', lane: 'int', applicationId: 'text', deviceId: 'text', given: 'text' } as const;
const COUNTED = { channel: 'text', bytes: 'int' } as const;
/** How often a dropped item was received, and its firing if that is a batch. `bytes` is the total size. */
const DROPPED = { times: 'bigint', firings: 'bigint' } as const;

/** Returns the columns of the triggers and of the items of a cause, in the order of their parameters. */
export const columnsOf = ({
  asks,
  items,
  counts,
}: CauseDeclaration): { triggers: Columns; items: Columns } => ({
  triggers: { ...TRIGGER, ...asks },
  items: { ...ITEM, ...items, ...(counts ? COUNTED : {}) },
});

/** Returns the columns of a statement that counts dropped runs. */
export const droppedColumnsOf = (declaration: CauseDeclaration): ReturnType<typeof columnsOf> => {
  const { triggers, items } = columnsOf(declaration);
  return { triggers, items: { ...items, ...(declaration.counts ? { bytes: 'bigint' } : {}), ...DROPPED } };
};

/**
 * Returns the columns of a statement with a row for each firing: those of its item, followed by those of each of its
 * triggers, whose names end with the number of the trigger. Such firings are not those of a device.
 */
export const joinedColumnsOf = (declaration: CauseDeclaration, triggerCount: number): Columns => {
  const { triggers, items: all } = columnsOf(declaration);
  const { firing: _, deviceId: __, ...items } = all;
  const ofTriggers = Array.from({ length: triggerCount }, (_, n) =>
    Object.entries(triggers).flatMap(([name, type]): [string, keyof SqlValues][] =>
      name === 'firing' || name === 'applicationId' ? [] : [[`${name}_${n}`, type]],
    ),
  );
  return { ...items, ...Object.fromEntries(ofTriggers.flat()) };
};
