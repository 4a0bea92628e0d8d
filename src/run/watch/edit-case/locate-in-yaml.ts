// A list of cases in YAML.

import type { Scalar, YAMLMap } from 'yaml';
import type { Locate } from './located.ts';
import { NO_EXPECTED, NOT_THERE } from './located.ts';

export const locateInYaml: Locate = async (text, { id, names }) => {
  const { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, stringify, visit } = await import('yaml');
  const document = parseDocument(text);
  const { contents } = document;
  const items: unknown[] = isSeq(contents) ? contents.items : [contents];
  const found = items.find((item): item is YAMLMap => isMap(item) && String(item.get('id')) === id);
  if (found === undefined) return NOT_THERE;
  const pairs = names.map((name) => found.items.find(({ key }) => isScalar(key) && key.value === name));
  const pair = pairs.find((one) => one !== undefined);
  const node: unknown = pair?.value;
  if (pair === undefined) return NO_EXPECTED;
  if (isAlias(node)) return 'its "expected" is an alias';
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return NO_EXPECTED;
  let isShared = node.tag !== undefined && isScalar(node) && node.source === undefined;
  visit(node, {
    Node: (_key, inner) => {
      if ('anchor' in inner && inner.anchor !== undefined) isShared = true;
    },
  });
  if (isShared) return 'its "expected" has an anchor, which other parts of the file may use';

  // What follows the value, such as the end of a block, stays.
  const [start, valueEnd] = node.range;
  const tail = /\s*$/.exec(text.slice(start, valueEnd))?.[0].length ?? 0;
  return {
    start,
    end: valueEnd - tail,
    name: String((pair.key as Scalar).value),
    value: found.toJSON() as Record<string, unknown>,
    write(value) {
      const written = typeof value === 'string' ? stringify(value, { lineWidth: 0 }).trimEnd() : '\n';
      return written.includes('\n') || written.startsWith('|') ? JSON.stringify(value) : written;
    },
  };
};
