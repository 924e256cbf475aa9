import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { writeFileSync } from 'node:fs';
import { AppModule } from '../app.module.js';
import { Config } from '../config/config.js';
import { buildDocument } from './document.js';

let text: Promise<string> | undefined;

/**
 * Returns the document as text. It is generated from the code alone, without database or Redis, and cached for the
 * lifetime of the process.
 */
export function documentText(): Promise<string> {
  return (text ??= renderDocument());
}

async function renderDocument(): Promise<string> {
  const foundation = {
    config: Config.from({}),
    databaseUrl: 'postgres://unused',
    redisUrl: 'redis://unused',
  };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.on(foundation), {
    preview: true,
    logger: false,
  });
  return `${JSON.stringify(buildDocument(app), null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync('openapi/openapi.json', await documentText());
