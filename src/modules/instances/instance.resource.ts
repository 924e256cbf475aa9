import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Me } from '../me/me.resource.js';

/** The platform as its operators see it: what organizations and users stand in. The first start makes one. */
@Entity('instances')
export class Instance {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creationDate: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUpdated: Date;
}

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
