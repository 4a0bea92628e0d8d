// A small strict XML reader, enough to prove that a report is well-formed and to look into it.

export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

const TOKEN = /<\?[^?]*\?>|<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads a document; throws at the first place where it is not well-formed. */
export function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  TOKEN.lastIndex = 0;
  let position = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    position = TOKEN.lastIndex;
    const [, closes, name, attributes = '', isEmpty, content] = token;
    const parent = open.at(-1) ?? root;
    if (content !== undefined) parent.text += decode(content);
    else if (closes === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${String(name)}> closes nothing`);
    } else if (name !== undefined) {
      const element: Element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      parent.children.push(element);
      if (isEmpty !== '/') open.push(element);
    }
  }
  const [only] = root.children;
  if (position !== text.length)
    throw new Error(`not well-formed at ${String(position)}: ${text.slice(position, position + 40)}`);
  if (only === undefined || root.children.length !== 1 || open.length !== 1)
    throw new Error('not one element');
  return only;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
  );
}

function decode(text: string): string {
  if (text.includes(']]>')) throw new Error('"]]>" in text');
  return text.replaceAll(/&(#\d+|\w+);|&/g, (entity, name: string | undefined) => {
    const known =
      name?.startsWith('#') === true ? String.fromCodePoint(Number(name.slice(1))) : ENTITIES[name ?? ''];
    if (known === undefined) throw new Error(`${entity} is not an entity`);
    return known;
  });
}
