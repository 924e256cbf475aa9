import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AliasField, IdField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { REFERENCED_VERSION } from '../experience-versions/experience-version.columns.js';
import { ExperienceVersion } from '../experience-versions/experience-version.resource.js';
import { CREATED_SLUGS } from './experience-slug.columns.js';

/** A name for an experience below the platform's own domain. */
@ApiSchema({
  name: 'ExperienceSlug',
  description: 'A name for the address of an experience, and the version that it serves.',
})
@Entity('experience_slugs')
@Index('experience_slugs_slug', ['slug'], { unique: true })
@Index('experience_slugs_by_slug', ['applicationId', 'slug', 'id'])
@Index('experience_slugs_by_version', ['versionId', 'slug'])
export class ExperienceSlug extends Resource {
  @AliasField('slug')
  experienceSlugId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the slug.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 3,
    maxLength: 63,
    pattern: '^[0-9a-z-]*$',
    description: 'Name of the slug, unique on the platform.',
    example: 'pump-station',
  })
  slug: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the version that the slug points to; absent for none.',
    example: 'develop',
  })
  version?: string;

  /** ID of the version that the slug points to; `null` for none or after its deletion. */
  @ForeignKey(() => ExperienceVersion, { onDelete: 'SET NULL' })
  @Column({ type: 'text', nullable: true })
  versionId: string | null;
}

export const EXPERIENCE_SLUGS = holding(ExperienceSlug, {
  table: 'experience_slugs',
  title: 'Experience slug',
  audited: { type: 'ExperienceSlug', name: 't.slug' },
  count: 'experienceSlugCount',
  counted: CREATED_SLUGS,
  limit: 'experienceslug',
  conflictMessages: { experience_slugs_slug: 'experienceSlug.slug is not available' },
  computed: [REFERENCED_VERSION],
});

@ApiSchema({ name: 'ExperienceSlugPost', description: 'Properties of a new slug.' })
export class ExperienceSlugPost extends PickType(ExperienceSlug, ['slug']) {
  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name or ID of the version that the slug points to; defaults to `develop`, `null` for none.',
    example: 'v1.4.0',
  })
  version?: string | null;
}

@ApiSchema({
  name: 'ExperienceSlugPatch',
  description: 'Changes to a slug. Omitted properties keep their value.',
})
export class ExperienceSlugPatch extends PartialType(PickType(ExperienceSlug, ['slug'])) {
  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name or ID of the version that the slug points to; `null` for none.',
    example: 'v1.4.0',
  })
  version?: string | null;
}

export const ExperienceSlugs = pageOf(ExperienceSlug, 'ExperienceSlugs', ['applicationId', 'totalCount'], []);
