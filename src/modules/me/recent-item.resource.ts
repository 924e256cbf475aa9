import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Me } from './me.resource.js';

/** Something that a user looked at, for the list of what they looked at last. */
@Entity('recent_items')
export class RecentItem {
  @ForeignKey(() => Me, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  userId: string;

  @PrimaryColumn({ type: 'text' })
  itemType: string;

  /** The application or organization that the item was looked at in; empty where none was named. */
  @PrimaryColumn({ type: 'text' })
  parentId: string;

  @PrimaryColumn({ type: 'text' })
  itemId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  viewedAt: Date;
}
