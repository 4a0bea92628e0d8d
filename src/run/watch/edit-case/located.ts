// Where `expected` of a case stands in the text of its file, and how to write another one.

/** Which case of a file is meant. */
export type CasePlace = {
  id: string;
  /** The line that the case begins on. */
  line: number;
  /** The names that the field may have in the file: `expected`, or what `--map` renames to it. */
  names: readonly string[];
};

/** The place of a value in a text, and the case that has it. */
export type Located = {
  start: number;
  end: number;
  /** The case as it stands in the file. */
  value: Record<string, unknown>;
  /** The name of the field in the file. */
  name: string;
  /** True if the format has only texts. */
  isTextOnly?: true;
  /** The value as the file writes it. */
  write(value: unknown): string;
};

export type Locate = (text: string, place: CasePlace) => Located | string | Promise<Located | string>;

export const NOT_THERE = 'the case is no longer where it was';
export const NO_EXPECTED = 'the case itself has no "expected"; it comes from elsewhere, such as "defaults"';
