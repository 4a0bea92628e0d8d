import { objectsIn, textIn } from '../frameworks/framework.ts';

/** A text, or the text parts of a list, joined; '' for anything else. */
export function partsText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => (part['thought'] === true ? '' : (textIn(part, 'text') ?? textIn(part, 'refusal') ?? '')))
    .join('');
}
