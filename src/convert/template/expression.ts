// The expressions inside of `{{ … }}` and `{% … %}`: text in, a tree out.

/** What a template cannot do here: the reason is shown to the user. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

export type Expression =
  | { type: 'value'; value: unknown }
  | { type: 'name'; name: string }
  | { type: 'list'; items: Expression[] }
  | { type: 'member'; object: Expression; key: Expression }
  | { type: 'filter'; name: string; input: Expression; arguments: Expression[] }
  | { type: 'not' | 'minus'; operand: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'test'; name: string; operand: Expression; isNegated: boolean }
  | { type: 'choice'; test: Expression; whenTrue: Expression; otherwise: Expression };

type Token = { type: 'number' | 'text' | 'name' | 'symbol'; text: string };

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_$][\w$]*)|(===|!==|==|!=|<=|>=|\*\*|\/\/|[-+*/%~<>()[\],.|:{}]))/y;

/** Reads one expression; throws a TemplateError if it is something that is not known here. */
export function parseExpression(source: string): Expression {
  const parser = new ExpressionParser(tokenize(source), source);
  const expression = parser.readChoice();
  parser.expectEnd();
  return expression;
}

function tokenize(source: string): Token[] {
  const text = source.trimEnd();
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const [, number, quoted, name, symbol] = pattern.exec(text) ?? [];
    if (number !== undefined) tokens.push({ type: 'number', text: number });
    else if (quoted !== undefined) tokens.push({ type: 'text', text: unquote(quoted) });
    else if (name !== undefined) tokens.push({ type: 'name', text: name });
    else if (symbol !== undefined) tokens.push({ type: 'symbol', text: symbol });
    else throw new TemplateError(`cannot read ${JSON.stringify(text.slice(at))}`);
  }
  return tokens;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' };

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** The operators from the loosest to the tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in'],
  ['~'],
  ['+', '-'],
  ['*', '/', '%', '//'],
];
const LITERALS: Record<string, unknown> = { true: true, false: false, none: null, null: null };

class ExpressionParser {
  #at = 0;
  readonly #tokens: readonly Token[];
  readonly #source: string;

  constructor(tokens: readonly Token[], source: string) {
    this.#tokens = tokens;
    this.#source = source;
  }

  /** `a if b else c`, or what is below it. */
  readChoice(): Expression {
    const whenTrue = this.#readLevel(0);
    if (!this.#take('name', 'if')) return whenTrue;
    const test = this.#readLevel(0);
    const otherwise: Expression = this.#take('name', 'else')
      ? this.readChoice()
      : { type: 'value', value: undefined };
    return { type: 'choice', test, whenTrue, otherwise };
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw this.#unknown();
  }

  #readLevel(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#readUnary();
    if (operators.includes('and') && this.#isNext('name', 'not')) {
      this.#at += 1;
      return { type: 'not', operand: this.#readLevel(level) };
    }
    let left = this.#readLevel(level + 1);
    for (;;) {
      const operator = this.#peek();
      if (operator === undefined || operator.type === 'text' || !operators.includes(operator.text)) break;
      this.#at += 1;
      left = { type: 'binary', operator: operator.text, left, right: this.#readLevel(level + 1) };
    }
    return operators.includes('in') ? this.#readTest(left) : left;
  }

  /** `x is defined`, `x is not none`. */
  #readTest(operand: Expression): Expression {
    if (!this.#take('name', 'is')) return operand;
    const isNegated = this.#take('name', 'not');
    const name = this.#next('name').text;
    return { type: 'test', name, operand, isNegated };
  }

  #readUnary(): Expression {
    if (this.#take('name', 'not')) return { type: 'not', operand: this.#readUnary() };
    if (this.#take('symbol', '-')) return { type: 'minus', operand: this.#readUnary() };
    return this.#readFilters(this.#readMembers(this.#readPrimary()));
  }

  #readPrimary(): Expression {
    const token = this.#peek();
    if (token === undefined) throw this.#unknown();
    this.#at += 1;
    if (token.type === 'number') return { type: 'value', value: Number(token.text) };
    if (token.type === 'text') return { type: 'value', value: token.text };
    if (token.type === 'name')
      return Object.hasOwn(LITERALS, token.text)
        ? { type: 'value', value: LITERALS[token.text] }
        : { type: 'name', name: token.text };
    if (token.text === '(') {
      const inner = this.readChoice();
      this.#expect(')');
      return inner;
    }
    if (token.text === '[') return { type: 'list', items: this.#readArguments(']') };
    this.#at -= 1;
    throw this.#unknown();
  }

  #readMembers(start: Expression): Expression {
    let object = start;
    for (;;) {
      if (this.#take('symbol', '.')) {
        object = { type: 'member', object, key: { type: 'value', value: this.#next('name').text } };
      } else if (this.#take('symbol', '[')) {
        object = { type: 'member', object, key: this.readChoice() };
        this.#expect(']');
      } else if (this.#isNext('symbol', '(')) {
        throw new TemplateError(`it calls a function: ${this.#source.trim()}`);
      } else return object;
    }
  }

  #readFilters(start: Expression): Expression {
    let input = start;
    while (this.#take('symbol', '|')) {
      const name = this.#next('name').text;
      const given = this.#take('symbol', '(') ? this.#readArguments(')') : [];
      input = this.#readMembers({ type: 'filter', name, input, arguments: given });
    }
    return input;
  }

  #readArguments(close: string): Expression[] {
    const items: Expression[] = [];
    while (!this.#take('symbol', close)) {
      items.push(this.readChoice());
      if (!this.#take('symbol', ',')) {
        this.#expect(close);
        break;
      }
    }
    return items;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #isNext(type: Token['type'], text: string): boolean {
    const token = this.#peek();
    return token?.type === type && token.text === text;
  }

  #take(type: Token['type'], text: string): boolean {
    const isNext = this.#isNext(type, text);
    if (isNext) this.#at += 1;
    return isNext;
  }

  #next(type: Token['type']): Token {
    const token = this.#peek();
    if (token?.type !== type) throw this.#unknown();
    this.#at += 1;
    return token;
  }

  #expect(text: string): void {
    if (!this.#take('symbol', text)) throw this.#unknown();
  }

  #unknown(): TemplateError {
    const found = this.#peek()?.text;
    return new TemplateError(
      found === undefined
        ? `${this.#source.trim()} is not complete`
        : `${JSON.stringify(found)} in ${this.#source.trim()} is not known here`,
    );
  }
}
