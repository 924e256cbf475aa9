import { ValidationError } from '../errors/errors.js';
export interface ListSpec { sort: readonly string[]; defaultSort: string; defaultDirection: 'asc' | 'desc'; perPage: number; filter?: readonly string[]; paged?: boolean }
export interface ListParameters { sortField: string; sortDirection: 'asc' | 'desc'; page: number; perPage: number; filterField?: string; filter?: string }
const int = (name: string, value: unknown, def: number, min: number, max: number): number => {
  if (value === undefined || value === '') return def;
  if (typeof value !== 'string' || !/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max) throw new ValidationError(`${name} is not valid`);
  return Number(value);
};
export function parseChoice(name: string, value: unknown, choices: readonly string[], def: string): string {
  if (value === undefined || value === '') return def;
  if (typeof value !== 'string' || !choices.includes(value)) throw new ValidationError(`${name} must be one of ${choices.join(', ')}`);
  return value;
}
export function parseBoolean(name: string, value: unknown, def: boolean): boolean {
  const c = parseChoice(name, value, ['true', 'false', '1', '0'], String(def));
  return c === 'true' || c === '1';
}
export function parseNames(_name: string, value: unknown): string[] {
  return typeof value === 'string' && value ? value.split(',').map((s) => s.trim()).filter(Boolean) : [];
}
export function parseId(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Fa-f\d]{24}$/.test(value)) throw new ValidationError(`${name} is not an id`);
  return value.toLowerCase();
}
export function parseListParameters(query: Record<string, unknown>, spec: ListSpec): ListParameters {
  return {
    sortField: parseChoice('sortField', query.sortField, spec.sort, spec.defaultSort),
    sortDirection: parseChoice('sortDirection', query.sortDirection, ['asc', 'desc'], spec.defaultDirection) as 'asc',
    page: int('page', query.page, 0, 0, 999999999), perPage: int('perPage', query.perPage, spec.perPage, 1, 1000),
    ...(query.filter ? { filterField: parseChoice('filterField', query.filterField, spec.filter ?? [], spec.filter?.[0] ?? ''), filter: String(query.filter) } : {}),
  };
}
