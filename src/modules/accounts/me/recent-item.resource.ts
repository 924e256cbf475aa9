import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ChoiceField, IdField } from '../../../platform/fields/fields.js';
import { User } from '../users/user.entity.js';
import { RECENT_TYPES, type RecentType } from '../../../platform/recent/recent-kinds.js';

/** Something that a user looked at, for the list of what they looked at last. */
@Entity('recent_items')
export class RecentItem {
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  userId: string;

  @PrimaryColumn({ type: 'text' })
  itemType: RecentType;

  /** The application or organization that the item was looked at in; empty where none was named. */
  @PrimaryColumn({ type: 'text' })
  parentId: string;

  @PrimaryColumn({ type: 'text' })
  itemId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  viewedAt: Date;
}

@ApiSchema({ name: 'RecentItemPost', description: 'Something that you look at.' })
export class RecentItemPost {
  @ChoiceField(RECENT_TYPES, { column: false, required: true, description: 'What it is.' })
  itemType: RecentType;

  @IdField({ column: false, required: true, description: 'Its id.' })
  itemId: string;

  @IdField({
    column: false,
    description: 'The application or organization that you look at it in. Each has a list of its own.',
  })
  parentId?: string;
}
