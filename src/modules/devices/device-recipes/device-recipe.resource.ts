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
  ATTRIBUTES_RESPONSE,
  DEVICE_CLASSES,
  TAGS_RESPONSE,
  type DeviceClass,
  type DeviceTag,
  type StoredAttribute,
} from '../devices/device.schemas.js';

/** Key of the tag that contains the ID of the recipe from which a device was created. */
export const RECIPE_TAG = 'DeviceRecipe';

/** Template for creating many similar devices. */
@ApiSchema({ name: 'DeviceRecipe', description: 'Template from which devices are created.' })
@Entity('device_recipes')
@Index('device_recipes_by_application', ['applicationId', 'id'])
@Index('device_recipes_by_name', ['applicationId', 'name', 'id'])
@Index('device_recipes_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('device_recipes_by_change', ['applicationId', 'lastUpdated', 'id'])
export class DeviceRecipe extends Resource {
  @AliasField('device recipe')
  deviceRecipeId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the recipe belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the recipe.',
    example: 'Pump',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Description of the recipe itself.',
    example: 'Pumps of the north field',
  })
  description?: string;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'Name of created devices if their row has none. Defaults to the name of the recipe.',
    example: 'Pump',
  })
  deviceName?: string;

  @StringField({
    maxLength: 32767,
    description: 'Description of created devices if their row has none.',
    example: 'Pump with two valves',
  })
  deviceDescription?: string;

  @JsonField(TAGS_RESPONSE, {
    required: true,
    description: 'Tags of created devices; with `tagsAsObject`, lists of values by key.',
    example: [{ key: 'site', value: 'north' }],
  })
  tags: readonly DeviceTag[];

  @JsonField(ATTRIBUTES_RESPONSE, {
    required: true,
    description: 'Attributes of created devices; with `attributesAsObject`, an object by name.',
    example: [{ name: 'pressure', dataType: 'number' }],
  })
  attributes: readonly StoredAttribute[];

  @ChoiceField(DEVICE_CLASSES, {
    required: true,
    description: 'Class of created devices.',
    example: 'standalone',
  })
  deviceClass: DeviceClass;

  @IdField({ sampled: false, description: 'ID of the gateway of created devices, if they are peripherals.' })
  gatewayId?: string | null;

  @IdField({ nullable: true, description: 'ID of the system that created devices belong to.' })
  parentId?: string | null;

  @IntegerField({
    minimum: 5,
    maximum: 3600,
    sampled: false,
    description: 'Seconds between two reports of created systems.',
    example: 60,
  })
  systemInterval?: number | null;

  @BooleanField({
    required: true,
    description: 'Value of `keepDuplicates` in created devices; stored for clients that use it.',
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
  // Read separately because each is available in two forms.
  computed: [
    { property: 'tags', kind: 'json', sql: 't.tags' },
    { property: 'attributes', kind: 'json', sql: 't.attributes' },
  ],
  after: ['devices'],
});

/** Properties of recipe bodies that are not properties of device bodies. */
class RecipeTexts extends PickType(DeviceRecipe, ['description', 'deviceName', 'deviceDescription']) {}

@ApiSchema({
  name: 'DeviceRecipePatch',
  description: 'Changes to a recipe. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class DeviceRecipePatch extends IntersectionType(
  RecipeTexts,
  OmitType(DevicePatch, ['name', 'description', 'gatewayId']),
) {
  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the recipe.',
    example: 'Pump',
  })
  name?: string;

  @IdField({
    column: false,
    nullable: true,
    description: 'ID of the gateway of created devices, if they are peripherals; `null` removes it.',
  })
  gatewayId?: string | null;
}

@ApiSchema({ name: 'DeviceRecipePost', description: 'Properties of a new recipe.' })
export class DeviceRecipePost extends IntersectionType(
  RecipeTexts,
  OmitType(DevicePatch, ['name', 'description', 'deviceClass']),
) {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the recipe.',
    example: 'Pump',
  })
  name: string;

  @ChoiceField(DEVICE_CLASSES, {
    column: false,
    description: 'Class of created devices.',
    default: 'standalone',
  })
  deviceClass?: DeviceClass;
}

export const DeviceRecipes = pageOf(DeviceRecipe, 'DeviceRecipes', ['applicationId']);
