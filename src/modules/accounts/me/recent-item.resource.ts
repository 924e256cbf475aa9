import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ChoiceField, IdField } from '../../../platform/fields/fields.js';
import { User } from '../users/user.entity.js';
import { RECENT_TYPES, type RecentType } from '../../../platform/recent/recent-kinds.js';

/** Recently viewed item of a user. */
@Entity('recent_items')
export class RecentItem {
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  userId: string;

  @PrimaryColumn({ type: 'text' })
  itemType: RecentType;

  /** ID of the application or organization in which the item was viewed; empty if not given. */
  @PrimaryColumn({ type: 'text' })
  parentId: string;

  @PrimaryColumn({ type: 'text' })
  itemId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  viewedAt: Date;
}

@ApiSchema({ name: 'RecentItemPost', description: 'An item that you have viewed.' })
export class RecentItemPost {
  @ChoiceField(RECENT_TYPES, { column: false, required: true, description: 'Type of the item.' })
  itemType: RecentType;

  @IdField({ column: false, required: true, description: 'ID of the item.' })
  itemId: string;

  @IdField({
    column: false,
    description:
      'ID of the application or organization in which you viewed the item. Each parent has a separate list.',
  })
  parentId?: string;
}
