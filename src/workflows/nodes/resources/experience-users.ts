import type { RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, mapResult, notFound, nullIfMissing } from './call-api.js';

/** Returns the experience user with an ID or an email address, or `null`. Ignores the case of addresses. */
export async function findUser(path: RunPath, emailOrId: string): Promise<ApiResult> {
  const query = { email: { $eq: emailOrId.trim().toLowerCase() } };
  if (isId(emailOrId))
    return nullIfMissing(await callApi(path, 'experienceUser.get', { experienceUserId: emailOrId }));
  const answer = await callApi(path, 'experienceUsers.get', { query, perPage: 1 });
  return mapResult(answer, ({ items }: { items: unknown[] }) => items[0] ?? null);
}

/** Calls an operation on the experience user with an ID or an email address. */
export async function callOnUser(
  path: RunPath,
  emailOrId: string,
  call: (user: ExperienceUser) => Promise<ApiResult>,
): Promise<ApiResult> {
  const answer = await findUser(path, emailOrId);
  if ('error' in answer) return answer;
  return answer.result === null ? notFound('Experience User') : call(answer.result as ExperienceUser);
}

/** An experience user, as far as nodes read it. */
export interface ExperienceUser {
  readonly id: string;
  readonly userTags: Readonly<Record<string, string>>;
  readonly experienceGroups: readonly { readonly id: string }[];
}
