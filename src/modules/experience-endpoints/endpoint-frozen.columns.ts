import { frozenRows } from '../../platform/holdings/frozen.js';
import {
  EXPERIENCE_ENDPOINTS,
  EXPERIENCE_ENDPOINT_VERSIONS,
  ExperienceEndpoint,
} from './experience-endpoint.resource.js';

/** Endpoints, which versions of an experience keep. */
export const FROZEN_ENDPOINTS = frozenRows(
  ExperienceEndpoint,
  EXPERIENCE_ENDPOINTS.table,
  EXPERIENCE_ENDPOINT_VERSIONS.table,
);
