import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { EventUpdate } from './event.schemas.js';
import { Event } from './event.resource.js';

/** An update of an event. Rows of their own, so that a change costs the same however many went before. */
@Entity('event_updates')
export class EventUpdateRow {
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  eventId: string;

  /** Counted from 1 within the event. */
  @PrimaryColumn({ type: 'integer' })
  number: number;

  @Column({ type: 'jsonb' })
  content: EventUpdate;

  /** The job that made it, where it was one: begun again it leaves out what it has done. */
  @Column({ type: 'text', nullable: true })
  jobId: string | null;
}
