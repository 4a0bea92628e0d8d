// Scripts, and the languages that are written in them.

/** Languages of scripts that are told apart by their words. */
const LATIN =
  'af az ca cs cy da de en es et fi fr ga gl hr hu id is it lt lv ms nl no pl pt ro sk sl sq sr sv sw tl tr vi'.split(
    ' ',
  );

type Script = {
  /** The name in Unicode. */
  name: string;
  languages: readonly string[];
  /** A character says about as much as this many Latin letters. */
  weight: number;
};

export const SCRIPTS: readonly Script[] = [
  { name: 'Latin', languages: LATIN, weight: 1 },
  { name: 'Cyrillic', languages: ['be', 'bg', 'mk', 'ru', 'sr', 'uk'], weight: 1 },
  { name: 'Arabic', languages: ['ar', 'fa', 'ps', 'ur'], weight: 1 },
  { name: 'Devanagari', languages: ['hi', 'mr', 'ne'], weight: 1 },
  { name: 'Han', languages: ['ja', 'zh'], weight: 3 },
  { name: 'Hiragana', languages: ['ja'], weight: 2 },
  { name: 'Katakana', languages: ['ja'], weight: 2 },
  { name: 'Hangul', languages: ['ko'], weight: 2 },
  { name: 'Armenian', languages: ['hy'], weight: 1 },
  { name: 'Bengali', languages: ['bn'], weight: 1 },
  { name: 'Ethiopic', languages: ['am'], weight: 2 },
  { name: 'Georgian', languages: ['ka'], weight: 1 },
  { name: 'Greek', languages: ['el'], weight: 1 },
  { name: 'Gujarati', languages: ['gu'], weight: 1 },
  { name: 'Gurmukhi', languages: ['pa'], weight: 1 },
  { name: 'Hebrew', languages: ['he'], weight: 1 },
  { name: 'Kannada', languages: ['kn'], weight: 1 },
  { name: 'Khmer', languages: ['km'], weight: 1 },
  { name: 'Lao', languages: ['lo'], weight: 1 },
  { name: 'Malayalam', languages: ['ml'], weight: 1 },
  { name: 'Myanmar', languages: ['my'], weight: 1 },
  { name: 'Sinhala', languages: ['si'], weight: 1 },
  { name: 'Tamil', languages: ['ta'], weight: 1 },
  { name: 'Telugu', languages: ['te'], weight: 1 },
  { name: 'Thai', languages: ['th'], weight: 1 },
];
