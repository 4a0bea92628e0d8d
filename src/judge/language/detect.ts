// A text in, the languages that it may be written in out: by its script, and by frequent words where languages share one.

import { SCRIPTS } from './scripts.ts';
import { LETTERS, WORDS } from './words.ts';

/** The rest of a longer text changes nothing. */
const MAX_LENGTH = 20_000;
/** A script with less of the text than this is a quotation or a name. */
const MIN_SHARE = 0.25;
/** Fewer letters than this say nothing, whatever their script. */
const MIN_LETTERS = 4;
/** Fewer Chinese characters than this may as well be Japanese. */
const MIN_HAN = 10;
/** The least evidence that a language needs: about three frequent words that no other language has. */
const MIN_EVIDENCE = 3;
/** The least evidence per word: texts in a language that is not known here have a few such words by accident. */
const MIN_DENSITY = 0.12;
/** A language with at least this share of the evidence of the best one is possible, too. */
const RIVAL = 0.6;
const LETTER_WEIGHT = 0.5;
/** The least evidence among related languages, and how much more of it the first must have than the second. */
const MIN_LEAD = 2;
const LEAD = 2.5;

/** The languages that a text may be written in: one if it can be told. Empty for a script that is not known here. */
export type Detected = {
  languages: readonly string[];
  /** The scripts of the text in words. */
  scripts: readonly string[];
};

export function detectLanguages(text: string): Detected {
  const prose = withoutCode(text.slice(0, MAX_LENGTH));
  const scripts = measureScripts(prose);
  const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  const main = SCRIPTS.filter(({ name }) => (scripts.get(name) ?? 0) >= MIN_SHARE * total);
  const names = main.map(({ name }) => name);
  if (total < MIN_LETTERS) return { languages: SCRIPTS.flatMap(({ languages }) => languages), scripts: [] };

  const isEastAsian = main.some(({ name }) => ['Han', 'Hiragana', 'Katakana'].includes(name));
  const languages = main.flatMap(({ name, languages: all }) => {
    if (isEastAsian && ['Han', 'Hiragana', 'Katakana'].includes(name)) return chineseOrJapanese(scripts);
    return all.length === 1 ? all : byWords(prose, all);
  });
  return { languages: [...new Set(languages)], scripts: names };
}

/** Code, addresses and names of files are not written in the language of the text. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/```[^]*?(?:```|$)/g, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/\b(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/g, ' ');
}

const TESTS = SCRIPTS.map(({ name, weight }) => {
  return { name, weight, pattern: new RegExp(`\\p{Script=${name}}`, 'gu') };
});

/** How much of the text each script has, in Latin letters. */
function measureScripts(text: string): Map<string, number> {
  const sizes = new Map<string, number>();
  let rest = 0;
  for (const { name, weight, pattern } of TESTS) {
    const count = text.match(pattern)?.length ?? 0;
    rest += count;
    if (count > 0) sizes.set(name, count * weight);
  }
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  // Marks belong to scripts as well, so that there may be fewer letters.
  if (letters > rest) sizes.set('other', letters - rest);
  return sizes;
}

/** Japanese has kana in every sentence; Chinese has none, except in names. */
function chineseOrJapanese(scripts: ReadonlyMap<string, number>): readonly string[] {
  const han = (scripts.get('Han') ?? 0) / 3;
  const kana = ((scripts.get('Hiragana') ?? 0) + (scripts.get('Katakana') ?? 0)) / 2;
  const share = kana / (han + kana);
  if (share >= 0.15) return ['ja'];
  return share <= 0.03 && han >= MIN_HAN ? ['zh'] : ['ja', 'zh'];
}

/** The languages of a script by their frequent words and letters; all of them if there are too few. */
function byWords(text: string, languages: readonly string[]): readonly string[] {
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? [];
  const evidence = new Map<string, number>();
  const add = (language: string, weight: number): void =>
    void evidence.set(language, (evidence.get(language) ?? 0) + weight);
  for (const word of words) {
    const known = EVIDENCE.get(word.replace('’', "'")) ?? [];
    for (const language of known) add(language, 1 / Math.sqrt(known.length));
  }
  // Letters alone prove nothing: other languages, which are not known here, have them as well.
  const byWord = Math.max(0, ...evidence.values());
  for (const word of words) for (const language of lettersIn(word)) add(language, LETTER_WEIGHT);

  const found = languages.map((language) => ({ language, size: evidence.get(language) ?? 0 }));
  const best = Math.max(...found.map(({ size }) => size));
  if (best < MIN_EVIDENCE || byWord < MIN_DENSITY * words.length) return languages;
  const rivals = found.filter(({ size }) => size >= RIVAL * best).map(({ language }) => language);
  return rivals.length === 1 ? rivals : decide(words, rivals);
}

/** Tells related languages apart by the words and letters that not all of them have; all of them if that is not enough. */
function decide(words: readonly string[], rivals: readonly string[]): readonly string[] {
  const evidence = new Map(rivals.map((language) => [language, 0]));
  for (const word of words) {
    const known = [...(EVIDENCE.get(word.replace('’', "'")) ?? []), ...lettersIn(word)];
    const own = [...new Set(known)].filter((language) => evidence.has(language));
    if (own.length === rivals.length) continue;
    for (const language of own) evidence.set(language, (evidence.get(language) ?? 0) + 1 / own.length);
  }
  const [first, second] = [...evidence].sort(([, a], [, b]) => b - a);
  if (first === undefined || first[1] < MIN_LEAD) return rivals;
  return first[1] >= LEAD * (second?.[1] ?? 0) ? [first[0]] : rivals;
}

/** By word: the languages that have it. A word of many languages says little about each. */
const EVIDENCE = new Map<string, string[]>();
for (const [name, words] of Object.entries(WORDS)) {
  for (const word of new Set(words.split(/\s+/)))
    EVIDENCE.set(word, [...(EVIDENCE.get(word) ?? []), name.replace('-cyrl', '')]);
}

const LETTER_LANGUAGES = LETTERS.map(([letters, languages]) => {
  return {
    pattern: new RegExp(`[${letters}]`, 'u'),
    languages: languages.split(' ').map((name) => name.replace('-cyrl', '')),
  };
});

function lettersIn(word: string): readonly string[] {
  if (/^[a-z']*$/.test(word)) return [];
  return LETTER_LANGUAGES.flatMap(({ pattern, languages }) => (pattern.test(word) ? languages : []));
}
