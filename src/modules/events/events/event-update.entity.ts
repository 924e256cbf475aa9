import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { EventUpdate } from './event.schemas.js';
import { Event } from './event.resource.js';

/**
 * An update of an event, stored in a separate row so that the cost of a change is independent of the number of updates.
 */
@Entity('event_updates')
export class EventUpdateRow {
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  eventId: string;

  /** Sequence number within the event, starting at 1. */
  @PrimaryColumn({ type: 'integer' })
  number: number;

  @Column({ type: 'jsonb' })
  content: EventUpdate;

  /** ID of the job that created the update, if any. When retried, the job skips these events. */
  @Column({ type: 'text', nullable: true })
  jobId: string | null;
}
