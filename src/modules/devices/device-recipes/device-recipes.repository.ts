import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { DEVICE_RECIPES, DeviceRecipe } from './device-recipe.resource.js';

/** Stores the rows of device recipes. */
@Injectable()
export class DeviceRecipesRepository extends ApplicationRepository<DeviceRecipe> {
  constructor(@InjectRepository(DeviceRecipe) rows: Repository<DeviceRecipe>, database: Database) {
    super(rows, database, DEVICE_RECIPES);
  }
}
