import { expect, test } from 'vitest';
import type { Transcript, Usage } from '../../model/agent.ts';
import { mergeTranscripts } from './delegate.ts';

const both = { input_tokens: 10, output_tokens: 5 };
const asked = (usage?: Usage): Partial<Transcript> => ({
  ...(usage !== undefined && { usage }),
  cost_usd: null,
});

test.each<[string, Partial<Transcript>, Partial<Transcript>, Usage | undefined]>([
  ['both counted', asked(both), asked(both), { input_tokens: 20, output_tokens: 10 }],
  ['one counted only what went in', asked(both), asked({ input_tokens: 1 }), { input_tokens: 11 }],
  ['the first did not count', asked(), asked(both), undefined],
  ['the second did not count', asked(both), asked(), undefined],
  ['the first asked no model', {}, asked(both), both],
  ['the second asked no model', asked(both), {}, both],
  ['neither asked a model', {}, {}, undefined],
])('what two agents took, if %s', (_when, first, second, usage) => {
  expect(mergeTranscripts({ output: 'a', ...first }, { output: 'b', ...second })).toEqual({
    output: 'b',
    ...(usage !== undefined && { usage }),
    ...((first.cost_usd === null || second.cost_usd === null) && { cost_usd: null }),
  });
});
