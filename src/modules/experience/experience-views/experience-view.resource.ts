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

const LAYOUT = 'ID of the layout of a page.';

/** Properties of a view in `develop` and in versions. */
export abstract class ViewRow extends AuthoredResource {
  @AliasField('view')
  experienceViewId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the view.' })
  applicationId: string;

  @ChoiceField(VIEW_TYPES, {
    required: true,
    description:
      'Type of the view; cannot be changed. Pages are sent as responses, optionally in a layout. Components are parts of pages and layouts.',
    example: 'page',
  })
  viewType: ViewType;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the view, unique among views of its type in the application.',
    example: 'Alarms',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Free-text description of the view.',
    example: 'All alarms of a pump',
  })
  description?: string;

  @StringField({
    required: true,
    maxLength: 131072,
    description: 'Handlebars template of the view.',
    example: '<h1>{{pageData.title}}</h1>',
  })
  body: string;

  @IdField({ description: LAYOUT })
  layoutId?: string | null;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the layout of a page.',
    example: 'With navigation',
  })
  layoutName?: string;

  @JsonField(VIEW_HEADERS, { required: true, description: 'Headers of responses with this view.' })
  headers: { 'content-type'?: string };

  @JsonField(VIEW_TAGS, {
    required: true,
    description: 'Text by key, for use by programs. Keys contain letters, digits, `_` and `-`.',
    example: { area: 'north' },
  })
  viewTags: Readonly<Record<string, string>>;
}

/** A view of an experience in `develop`. */
@ApiSchema({
  name: 'ExperienceView',
  description: 'A template of a page, layout or component of an experience.',
})
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

/** A view in a version of the experience, with the same ID as in `develop`. */
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

/** Properties of a view in request bodies. */
class ViewBody extends PartialType(PickType(ExperienceView, ['description', 'body', 'headers', 'viewTags'])) {
  @IdField({ column: false, nullable: true, description: `${LAYOUT} \`null\` for none.` })
  layoutId?: string | null;
}

@ApiSchema({ name: 'ExperienceViewPost', description: 'Properties of a new view.' })
export class ExperienceViewPost extends ViewBody {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the view, unique among views of its type in the application.',
    example: 'Alarms',
  })
  name: string;

  @ChoiceField(VIEW_TYPES, {
    column: false,
    required: true,
    description: 'Type of the view; cannot be changed later.',
    example: 'page',
  })
  viewType: ViewType;
}

@ApiSchema({
  name: 'ExperienceViewPatch',
  description:
    'Changes to a view. Omitted properties keep their value. Tags and headers are replaced, not merged.',
})
export class ExperienceViewPatch extends ViewBody {
  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the view, unique among views of its type in the application.',
    example: 'Alarms',
  })
  name?: string;
}

export const EXPERIENCE_VIEWS = holding(ExperienceView, {
  table: 'experience_views',
  title: 'Experience view',
  audited: 'ExperienceView',
  count: 'experienceViewCount',
  partitionedBy: 'viewType',
  limit: 'experienceview',
  conflictMessages: { experience_views_name: 'experienceView.name is not available' },
  computed: VIEW_COMPUTED,
});

export const EXPERIENCE_VIEW_VERSIONS = holding(ExperienceViewVersion, {
  table: 'experience_view_versions',
  title: 'Experience view',
});

/** Views that versions of an experience contain. */
export const FROZEN_VIEWS = frozenRows(ExperienceView, 'experience_views', 'experience_view_versions');

export const ExperienceViews = pageOf(ExperienceView, 'ExperienceViews', ['applicationId', 'viewType']);
