/** Assertion: phrases with more words never come after phrases with fewer. */
function LongestFirst(output: { keywords: string[] }) {
  const lengths = output.keywords.map((phrase) => phrase.split(' ').length);
  const isSorted = lengths.every((length, index) => index === 0 || length <= (lengths[index - 1] ?? 0));
  return { pass: isSorted, message: `words per phrase: ${lengths.join(', ')}` };
}
