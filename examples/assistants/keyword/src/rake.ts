// Rapid automatic keyword extraction: phrases are what stands between stop words and punctuation; a word counts for more
// the longer the phrases it appears in.

const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but
   by can could did do does doing down during each even few for from further get gets had has have having he her here
   hers him his how i if in into is it its itself just let lets like made make makes many me more most much must my no
   nor not now of off on once only or other our out over own per please same she should so some such tell than that the
   their them then there these they this those through to too under until up us use used uses using very was we were
   what what's when where which while who whom why will with would you your`.split(/\s+/),
);

/** The phrases of a text, best first, lower case, no duplicates. */
export function extractKeywords(text: string, limit: number): string[] {
  const phrases = splitIntoPhrases(text.toLowerCase());
  const frequency = new Map<string, number>();
  const degree = new Map<string, number>();
  for (const phrase of phrases) {
    for (const word of phrase) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
      degree.set(word, (degree.get(word) ?? 0) + phrase.length);
    }
  }
  const scores = new Map<string, number>();
  for (const phrase of phrases) {
    const score = phrase.reduce((sum, word) => sum + (degree.get(word) ?? 0) / (frequency.get(word) ?? 1), 0);
    scores.set(phrase.join(' '), score);
  }
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([phrase]) => phrase);
}

function splitIntoPhrases(text: string): string[][] {
  const phrases: string[][] = [];
  for (const sentence of text.split(/[.,;:!?()"\n\u2013\u2014]+/)) {
    let phrase: string[] = [];
    for (const word of sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'+#-]*/gu) ?? []) {
      if (!STOP_WORDS.has(word)) {
        phrase.push(word);
        continue;
      }
      if (phrase.length > 0) phrases.push(phrase);
      phrase = [];
    }
    if (phrase.length > 0) phrases.push(phrase);
  }
  return phrases;
}
