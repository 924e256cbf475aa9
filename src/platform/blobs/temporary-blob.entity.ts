import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A blob that is removed when it expires. Its row is created before the blob. */
@Entity('temporary_blobs')
export class TemporaryBlob {
  @PrimaryColumn({ type: 'text' })
  key: string;

  @Index('temporary_blobs_by_end')
  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;
}
