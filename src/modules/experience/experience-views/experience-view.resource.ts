import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import { AliasField, ChoiceField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { frozenRows } from '../../../platform/holdings/frozen.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import { ExperienceVersion } from '../experience-versions/experience-version.resource.js';
import { VIEW_COMPUTED } from './view.columns.js';
import { VIEW_HEADERS, VIEW_TAGS, VIEW_TYPES, type ViewType } from './view.schemas.js';

const LAYOUT = 'The layout that a page stands in.';

/** What is being developed of a view, and what versions keep of it. */
export abstract class ViewRow extends AuthoredResource {
  @AliasField('view')
  experienceViewId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @ChoiceField(VIEW_TYPES, {
    required: true,
    description:
      'A page is answered with, in a layout where it has one; components are parts of pages and layouts. Fixed when it is made.',
    example: 'page',
  })
  viewType: ViewType;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, unique among views of its type in the application.',
    example: 'Alarms',
  })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it shows.', example: 'All alarms of a pump' })
  description?: string;

  @StringField({
    required: true,
    maxLength: 131072,
    description: 'Its template, Handlebars.',
    example: '<h1>{{pageData.title}}</h1>',
  })
  body: string;

  @IdField({ description: LAYOUT })
  layoutId?: string | null;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'The name of its layout.',
    example: 'With navigation',
  })
  layoutName?: string;

  @JsonField(VIEW_HEADERS, { required: true, description: 'Headers of what is answered with it.' })
  headers: { 'content-type'?: string };

  @JsonField(VIEW_TAGS, {
    required: true,
    description: 'Text by key, for programs; keys are letters, digits, `_` and `-`.',
    example: { area: 'north' },
  })
  viewTags: Readonly<Record<string, string>>;
}

/** A view of an experience, as it is being developed. */
@ApiSchema({ name: 'ExperienceView', description: 'A template of what an experience shows.' })
@Entity('experience_views')
@Index('experience_views_name', ['applicationId', 'viewType', 'name'], { unique: true })
@Index('experience_views_by_layout', ['layoutId'], { where: 'layout_id IS NOT NULL' })
@Index('experience_views_by_application', ['applicationId', 'id'])
@Index('experience_views_by_name', ['applicationId', 'name', 'id'])
@Index('experience_views_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('experience_views_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('experience_views_of_type', ['applicationId', 'viewType', 'id'])
@Index('experience_views_of_type_by_name', ['applicationId', 'viewType', 'name', 'id'])
@Index('experience_views_of_type_by_creation', ['applicationId', 'viewType', 'creationDate', 'id'])
@Index('experience_views_of_type_by_change', ['applicationId', 'viewType', 'lastUpdated', 'id'])
@ForeignKey(() => ExperienceView, ['layoutId'], ['id'], { onDelete: 'SET NULL' })
export class ExperienceView extends ViewRow {}

/** A view as a version of the experience keeps it, under the same id. */
@Entity('experience_view_versions')
@Index('experience_view_versions_by_application', ['applicationId'])
@Index('experience_view_versions_by_id', ['versionId', 'id'])
@Index('experience_view_versions_by_name', ['versionId', 'name', 'id'])
@Index('experience_view_versions_by_creation', ['versionId', 'creationDate', 'id'])
@Index('experience_view_versions_by_change', ['versionId', 'lastUpdated', 'id'])
@Index('experience_view_versions_of_type', ['versionId', 'viewType', 'id'])
@Index('experience_view_versions_of_type_by_name', ['versionId', 'viewType', 'name', 'id'])
@Index('experience_view_versions_of_type_by_creation', ['versionId', 'viewType', 'creationDate', 'id'])
@Index('experience_view_versions_of_type_by_change', ['versionId', 'viewType', 'lastUpdated', 'id'])
export class ExperienceViewVersion extends ViewRow {
  @ForeignKey(() => ExperienceVersion, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  versionId: string;
}

/** What a body may say of a view. */
class Given extends PartialType(PickType(ExperienceView, ['description', 'body', 'headers', 'viewTags'])) {
  @IdField({ column: false, nullable: true, description: `${LAYOUT} \`null\` for none.` })
  layoutId?: string | null;
}

@ApiSchema({ name: 'ExperienceViewPost', description: 'A new view.' })
export class ExperienceViewPost extends Given {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, new among views of its type in the application.',
    example: 'Alarms',
  })
  name: string;

  @ChoiceField(VIEW_TYPES, {
    column: false,
    required: true,
    description: 'What it is; fixed from then on.',
    example: 'page',
  })
  viewType: ViewType;
}

@ApiSchema({
  name: 'ExperienceViewPatch',
  description: 'Changes to a view; what is absent stays as it is, and tags and headers are replaced whole.',
})
export class ExperienceViewPatch extends Given {
  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, unique among views of its type in the application.',
    example: 'Alarms',
  })
  name?: string;
}

export const EXPERIENCE_VIEWS = holding(ExperienceView, {
  table: 'experience_views',
  title: 'Experience view',
  audited: 'ExperienceView',
  count: 'experienceViewCount',
  parted: 'viewType',
  limit: 'experienceview',
  taken: { experience_views_name: 'experienceView.name is not available' },
  computed: VIEW_COMPUTED,
});

export const EXPERIENCE_VIEW_VERSIONS = holding(ExperienceViewVersion, {
  table: 'experience_view_versions',
  title: 'Experience view',
});

/** What versions of an experience keep of its views. */
export const FROZEN_VIEWS = frozenRows(ExperienceView, 'experience_views', 'experience_view_versions');

export const ExperienceViews = pageOf(ExperienceView, 'ExperienceViews', ['applicationId', 'viewType']);
