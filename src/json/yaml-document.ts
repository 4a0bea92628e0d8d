// YAML, with the line of every value.

import type { Document } from 'yaml';
import type { Problem } from '../errors.ts';
import { ConfigError, messageOf } from '../errors.ts';
import type { JsonDocument } from './jsonc.ts';

type Yaml = typeof import('yaml');

const UNRESOLVED = 'invalid YAML: Unresolved alias (the anchor must be set before the alias)';

/** Reads YAML. Throws all syntax errors in one ConfigError, located in file `name`. */
export async function parseYamlDocument(text: string, name: string): Promise<JsonDocument> {
  const yaml = await import('yaml');
  const { LineCounter, isMap, isNode, isScalar, parseDocument } = yaml;
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const problems = document.errors.map((error) => ({
    message: `invalid YAML: ${error.message}`,
    at: `${name}:${counter.linePos(error.pos[0]).line}`,
  }));
  if (problems.length > 0) throw ConfigError.of(problems);

  const toValue = (): unknown => {
    try {
      return document.toJS() as unknown;
    } catch (error) {
      const aliases = findUnresolvedAliases(yaml, document, (position) =>
        position === undefined ? name : `${name}:${counter.linePos(position).line}`,
      );
      if (aliases.length > 0) throw ConfigError.of(aliases);
      throw new ConfigError(`invalid YAML: ${messageOf(error)}`, { at: name, cause: error });
    }
  };

  /** The position of the key; for list items, of the value. */
  const findPosition = (path: readonly string[]): number | undefined => {
    const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const key = path.at(-1);
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      const range = isScalar(pair?.key) ? pair.key.range : undefined;
      if (range) return range[0];
    }
    const node: unknown = document.getIn(path, true);
    return isNode(node) ? node.range?.[0] : undefined;
  };

  return {
    value: toValue(),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const position = findPosition(path.slice(0, length));
        if (position !== undefined) return counter.linePos(position).line;
      }
      return 1;
    },
  };
}

/** Locates aliases without an anchor before them; the library reports them late and without a position. */
function findUnresolvedAliases(
  { isAlias, visit }: Yaml,
  document: Document,
  locate: (position: number | undefined) => string,
): Problem[] {
  const anchors = new Set<string>();
  const problems: Problem[] = [];
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
      } else if (!anchors.has(node.source)) {
        problems.push({ message: `${UNRESOLVED}: ${node.source}`, at: locate(node.range?.[0]) });
      }
    },
  });
  return problems;
}
