import { Module } from '@nestjs/common';
import { Firings } from './fire.js';

/** Enqueues runs, for every module whose changes or received messages trigger workflows. */
@Module({ providers: [Firings], exports: [Firings] })
export class FiringsModule {}
