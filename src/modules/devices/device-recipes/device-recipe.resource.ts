import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { DevicePatch } from '../devices/device.resource.js';
import {
  ATTRIBUTES_SHOWN,
  DEVICE_CLASSES,
  TAGS_SHOWN,
  type DeviceClass,
  type DeviceTag,
  type StoredAttribute,
} from '../devices/device.schemas.js';

/** The tag by which devices name the recipe that they were made from. */
export const RECIPE_TAG = 'DeviceRecipe';

/** What devices that are alike have in common, to make many at once. */
@ApiSchema({ name: 'DeviceRecipe', description: 'What devices are made from, one or many at once.' })
@Entity('device_recipes')
@Index('device_recipes_by_application', ['applicationId', 'id'])
@Index('device_recipes_by_name', ['applicationId', 'name', 'id'])
@Index('device_recipes_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('device_recipes_by_change', ['applicationId', 'lastUpdated', 'id'])
export class DeviceRecipe extends Resource {
  @AliasField('device recipe')
  deviceRecipeId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump station',
  })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'Stations of the north' })
  description?: string;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'The name of devices that are given none; absent, the name of the recipe.',
    example: 'Pump',
  })
  deviceName?: string;

  @StringField({
    maxLength: 32767,
    description: 'The description of devices that are given none.',
    example: 'Pump with two valves',
  })
  deviceDescription?: string;

  @JsonField(TAGS_SHOWN, {
    required: true,
    description: 'Tags of its devices; with `tagsAsObject` lists of values by key.',
    example: [{ key: 'site', value: 'north' }],
  })
  tags: readonly DeviceTag[];

  @JsonField(ATTRIBUTES_SHOWN, {
    required: true,
    description: 'What its devices report; with `attributesAsObject` by name.',
    example: [{ name: 'pressure', dataType: 'number' }],
  })
  attributes: readonly StoredAttribute[];

  @ChoiceField(DEVICE_CLASSES, {
    required: true,
    description: 'The class of its devices.',
    example: 'standalone',
  })
  deviceClass: DeviceClass;

  @IdField({ description: 'The gateway of its devices, where they are peripherals.' })
  gatewayId?: string | null;

  @IdField({ nullable: true, description: 'The system that its devices belong to.' })
  parentId?: string | null;

  @IntegerField({
    minimum: 5,
    maximum: 3600,
    description: 'Of systems: how many seconds pass between two reports.',
    example: 60,
  })
  systemInterval?: number | null;

  @BooleanField({
    required: true,
    description: 'What its devices have as `keepDuplicates`: stored for clients that know it.',
    example: false,
  })
  keepDuplicates: boolean;
}

export const DEVICE_RECIPES = holding(DeviceRecipe, {
  table: 'device_recipes',
  title: 'Device recipe',
  audited: 'DeviceRecipe',
  count: 'deviceRecipeCount',
  limit: 'devicerecipe',
  // Read apart, since each is shown in two forms.
  computed: [
    { property: 'tags', kind: 'json', sql: 't.tags' },
    { property: 'attributes', kind: 'json', sql: 't.attributes' },
  ],
});

/** What bodies take of a recipe beside what they take of a device. */
class RecipeTexts extends PickType(DeviceRecipe, ['description', 'deviceName', 'deviceDescription']) {}

@ApiSchema({
  name: 'DeviceRecipePatch',
  description: 'Changes to a recipe; what is absent stays as it is, and lists are replaced whole.',
})
export class DeviceRecipePatch extends IntersectionType(
  RecipeTexts,
  OmitType(DevicePatch, ['name', 'description', 'gatewayId']),
) {
  @StringField({ column: false, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Pump' })
  name?: string;

  @IdField({
    column: false,
    nullable: true,
    description: 'The gateway of its devices, where they are peripherals; `null` for none.',
  })
  gatewayId?: string | null;
}

@ApiSchema({ name: 'DeviceRecipePost', description: 'A new recipe.' })
export class DeviceRecipePost extends IntersectionType(
  RecipeTexts,
  OmitType(DevicePatch, ['name', 'description', 'deviceClass']),
) {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump',
  })
  name: string;

  @ChoiceField(DEVICE_CLASSES, { column: false, description: 'What they are.', default: 'standalone' })
  deviceClass?: DeviceClass;
}

export const DeviceRecipes = pageOf(DeviceRecipe, 'DeviceRecipes', ['applicationId']);
