import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Me } from '../me/me.resource.js';
import { Instance } from './instance.resource.js';

/** A user who runs an instance or may look at how it is run. */
@Entity('instance_members')
export class InstanceMember {
  @ForeignKey(() => Instance, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  instanceId: string;

  @Index('instance_members_by_user')
  @ForeignKey(() => Me, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  userId: string;

  @Column({ type: 'enum', enum: ['admin', 'view'], enumName: 'instance_role' })
  role: 'admin' | 'view';
}
