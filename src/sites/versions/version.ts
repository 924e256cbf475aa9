import type { ExperienceReply } from '../../modules/experience/experience-versions/experience.schemas.js';
import { mergedGlobals } from '../../workflows/engine/root-payload.js';
import { compileTemplate, type Compiled } from '../../workflows/language/compile.js';
import { ANY_ENDPOINT } from '../../workflows/runs/causes.js';
import { versionHeaders, type HeaderRules } from '../replies/reply-headers.js';
import { Router } from '../routing/router.js';
import type { EndpointRow, VersionKey, VersionSettings, ViewRow } from './versions.repository.js';

/** A static, unauthorized or not-found reply that is ready to be made. */
export type PreparedReply = { readonly statusCode?: number } & (
  | { readonly type: 'page'; readonly viewId: string }
  | { readonly type: 'redirect'; readonly location: Compiled<string> }
);

/** An endpoint that is ready to serve requests. */
export interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly access: EndpointRow['access'];
  /** Groups whose members have access. */
  readonly memberGroupIds: ReadonlySet<string>;
  /** Template of the ID of the device that decides about access; `undefined` for none. */
  readonly deviceId?: Compiled<string>;
  readonly staticReply?: PreparedReply;
  readonly unauthorizedReply?: PreparedReply;
  /** The endpoint as workflows and pages see it. */
  readonly shown: object;
  /** Whether workflows listen to the endpoint. */
  readonly isTrigger: boolean;
}

/** A version of an experience, ready to serve requests. */
export interface Version extends HeaderRules {
  readonly key: VersionKey;
  readonly ownerId: string;
  readonly ownerType: VersionSettings['ownerType'];
  readonly name: string;
  readonly application: { readonly id: string; readonly name: string };
  readonly globals: object;
  readonly router: Router<Endpoint>;
  readonly views: ReadonlyMap<string, ViewRow>;
  readonly components: ReadonlyMap<string, ViewRow>;
  readonly notFoundReply?: PreparedReply;
  readonly unauthorizedReply?: PreparedReply;
  /** Whether workflows listen to every request. */
  readonly isTrigger: boolean;
  /** Number of endpoints and views, for the size of caches. */
  readonly size: number;
}

/** Makes a version from its rows. */
export function prepareVersion(
  settings: VersionSettings,
  endpoints: readonly EndpointRow[],
  views: readonly ViewRow[],
): Version {
  const { id, name, applicationId, applicationName, applicationGlobals, globals } = settings;
  const keys = new Set(settings.triggerKeys);
  return {
    key: { id, applicationId },
    ownerId: settings.ownerId,
    ownerType: settings.ownerType,
    name,
    application: { id: applicationId, name: applicationName },
    globals: mergedGlobals(applicationGlobals ?? [], globals),
    router: new Router(endpoints.map((row) => prepareEndpoint(row, applicationId, keys))),
    views: new Map(views.map((view) => [view.id, view])),
    components: new Map(
      views.filter(({ viewType }) => viewType === 'component').map((view) => [view.name, view]),
    ),
    notFoundReply: prepareReply(settings.notFoundReply),
    unauthorizedReply: prepareReply(settings.unauthorizedReply),
    headers: versionHeaders(settings.responseHeaders),
    corsOrigins: corsOriginsOf(settings),
    isTrigger: keys.has(ANY_ENDPOINT),
    size: 1 + endpoints.length + views.length,
  };
}

function corsOriginsOf({
  endpointDefaultCors,
  allowedCorsOrigins,
}: VersionSettings): '*' | ReadonlySet<string> | undefined {
  if (!endpointDefaultCors) return undefined;
  return allowedCorsOrigins.length > 0 ? new Set(allowedCorsOrigins.map((one) => one.toLowerCase())) : '*';
}

function prepareEndpoint(row: EndpointRow, applicationId: string, keys: ReadonlySet<string>): Endpoint {
  const { memberGroupIds, staticReply, unauthorizedReply, deviceIdTemplate, ...shown } = row;
  const { id, method, route, access } = row;
  return {
    id,
    method,
    route,
    access,
    memberGroupIds: new Set(memberGroupIds),
    deviceId: access === 'device' && deviceIdTemplate ? lazily(deviceIdTemplate) : undefined,
    staticReply: prepareReply(staticReply),
    unauthorizedReply: prepareReply(unauthorizedReply),
    shown: { ...shown, experienceEndpointId: id, applicationId, enabled: true },
    isTrigger: keys.has(id) || keys.has(ANY_ENDPOINT),
  };
}

function prepareReply(reply: ExperienceReply | null): PreparedReply | undefined {
  if (!reply) return undefined;
  const { type, value, statusCode } = reply;
  return type === 'page'
    ? { type, viewId: value, statusCode }
    : { type, location: lazily(value), statusCode };
}

/** Prepares a template when it is first used, so that one that is broken fails only the requests that use it. */
function lazily(text: string): Compiled<string> {
  let compiled: Compiled<string> | undefined;
  return (context) => (compiled ??= compileTemplate(text))(context);
}
