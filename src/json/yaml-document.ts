// YAML, with the line of every value.

import type { CST, Document, LineCounter } from 'yaml';
import type { Problem } from '../errors.ts';
import { ConfigError, messageOf } from '../errors.ts';
import type { JsonDocument } from './jsonc.ts';
import { MAX_SYNTAX_ERRORS } from './jsonc.ts';
import { MAX_DEPTH, TOO_DEEP } from './nesting.ts';

type Yaml = typeof import('yaml');
type Locate = (position: number | undefined) => string;

const UNRESOLVED = 'invalid YAML: Unresolved alias (the anchor must be set before the alias)';
/** The library searches the document for the anchor of every alias. */
const MAX_ALIASES = 1000;

/** Reads YAML. Throws the syntax errors in one ConfigError, located in file `name`. */
export async function parseYamlDocument(text: string, name: string): Promise<JsonDocument> {
  const yaml = await import('yaml');
  const { isMap, isNode, isScalar } = yaml;
  const counter = new yaml.LineCounter();
  const locate: Locate = (position) =>
    position === undefined ? name : `${name}:${counter.linePos(position).line}`;
  const document = compose(yaml, text, counter, locate);
  const problems = [
    ...document.errors.map(({ message, pos }) => ({ message, position: pos[0] })),
    ...findRepeatedKeys(yaml, document),
  ];
  if (problems.length > 0) {
    const named = problems.slice(0, MAX_SYNTAX_ERRORS);
    const more = problems.length - named.length;
    const described = named.map(({ message, position }): Problem => {
      return { message: `invalid YAML: ${message}`, at: locate(position) };
    });
    if (more > 0) described.push({ message: `and ${String(more)} more syntax errors`, at: name });
    throw ConfigError.of(described);
  }

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
    value: toValue(yaml, document, name, locate),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const position = findPosition(path.slice(0, length));
        if (position !== undefined) return counter.linePos(position).line;
      }
      return 1;
    },
  };
}

/** Parses token by token: the rest of the library recurses, and a stack that overflows in it can end the process. */
function compose(
  { Composer, Lexer, Parser }: Yaml,
  text: string,
  counter: LineCounter,
  locate: Locate,
): Document.Parsed {
  const parser = new Parser(counter.addNewLine);
  const tokens: CST.Token[] = [];
  let aliases = 0;
  counter.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (lexeme.startsWith('*')) aliases += 1;
    // A level has up to two entries: the collection and the node that is being read.
    if (parser.stack.length > MAX_DEPTH) throw new ConfigError(TOO_DEEP, { at: locate(parser.offset) });
    if (aliases > MAX_ALIASES)
      throw new ConfigError(`more than ${MAX_ALIASES} aliases`, { at: locate(parser.offset) });
  }
  for (const token of parser.end()) tokens.push(token);
  // The library compares every key with all others; `findRepeatedKeys` takes linear time.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const [document, second] = withoutStacks(() => [...composer.compose(tokens, true, text.length)]);
  if (document === undefined) throw new ConfigError('the file is empty', { at: locate(undefined) });
  if (second !== undefined)
    throw new ConfigError('the file has several YAML documents', {
      at: locate(second.range[0]),
      hint: 'keep one of them: remove the line with ---',
    });
  return document;
}

/** Stacks are most of the work of making an error, and no message shows those of syntax errors. */
function withoutStacks<T>(step: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return step();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function findRepeatedKeys(
  { isScalar, visit }: Yaml,
  document: Document,
): { message: string; position: number | undefined }[] {
  const found: { message: string; position: number | undefined }[] = [];
  visit(document, {
    Map(_key, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value))
          found.push({ message: 'Map keys must be unique', position: key.range?.[0] });
        known.add(key.value);
      }
    },
  });
  return found;
}

function toValue(yaml: Yaml, document: Document, name: string, locate: Locate): unknown {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    const aliases = findUnresolvedAliases(yaml, document, locate);
    if (aliases.length > 0) throw ConfigError.of(aliases);
    throw new ConfigError(`invalid YAML: ${messageOf(error)}`, { at: name, cause: error });
  }
  // Aliases can nest a value deeper than its text, or put it into itself.
  if (isDeep(value, 0, new Map())) throw new ConfigError(`aliases make it ${TOO_DEEP}`, { at: name });
  return value;
}

/** `seen` has the deepest place of every object so far, so that a shared one is not walked again and again. */
function isDeep(value: unknown, depth: number, seen: Map<object, number>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  if ((seen.get(value) ?? -1) >= depth) return false;
  seen.set(value, depth);
  return Object.values(value).some((inner) => isDeep(inner, depth + 1, seen));
}

/** Locates aliases without an anchor before them; the library reports them late and without a position. */
function findUnresolvedAliases({ isAlias, visit }: Yaml, document: Document, locate: Locate): Problem[] {
  const anchors = new Set<string>();
  const problems: Problem[] = [];
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
      } else if (!anchors.has(node.source) && problems.length < MAX_SYNTAX_ERRORS) {
        problems.push({ message: `${UNRESOLVED}: ${node.source}`, at: locate(node.range?.[0]) });
      }
    },
  });
  return problems;
}
