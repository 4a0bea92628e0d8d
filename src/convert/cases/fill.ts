// Decides for every template: stay, because it only has `{{name}}`, or be rendered now.

import { isObject } from '../../json/is-object.ts';
import { renderTemplate } from '../template/render.ts';
import { isTemplate, plainNames } from '../template/template.ts';
import type { Variables } from './variables.ts';

/** `names` are used by templates that stayed; the case has to have all of them. */
export type Filled = { value: unknown; names: string[] };

/** Fills every text of a value. With `isRendered` nothing stays. Throws a TemplateError for what cannot be computed. */
export function fillValue(value: unknown, vars: Variables, { isRendered = false } = {}): Filled {
  const names = new Set<string>();
  const fill = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(fill);
    if (isObject(part))
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
    if (typeof part !== 'string' || !isTemplate(part)) return part;
    const plain = isRendered ? undefined : plainNames(part);
    if (plain === undefined || !plain.every((name) => canStay(name, part, vars)))
      return escapeText(renderTemplate(part, vars));
    for (const name of plain) names.add(name);
    return part;
  };
  return { value: fill(value), names: [...names] };
}

/** A text that is only `{{name}}` would become the value itself, so the value must be a text; an empty one is looked at now. */
function canStay(name: string, text: string, vars: Variables): boolean {
  const value = Object.hasOwn(vars, name) ? vars[name] : '';
  const isAlone = /^\{\{[^{}]*\}\}$/.test(text);
  if (typeof value === 'string') return value !== '' || !isAlone;
  return !isAlone && (typeof value === 'number' || typeof value === 'boolean');
}

/** Braces that were rendered are text. Nothing escapes `{%`, and a case with variables refuses it. */
function escapeText(text: string): string {
  return text.replaceAll('{{', String.raw`\{{`).replaceAll('{%', '{ %');
}

/** True if a value has templates that depend on the variables of a case. */
export function hasTemplates(value: unknown): boolean {
  if (typeof value === 'string') return isTemplate(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTemplates);
}
