import { expect, test } from 'vitest';
import { fillPrompts } from './prompt-variables.ts';

const context = {
  authorized: { user_id: 'ann', team_id: 'ops' },
  chat_id: 'c-1',
  assistant_id: 'shop',
  locale: 'en-us',
  metadata: { goal: 'a refund', size: 3, order: { id: 1 } },
};

function filled(content: string): unknown {
  return fillPrompts([{ role: 'system', content }], context, new Date(2026, 10, 6, 7, 8, 9))[0]?.content;
}

test('fills in time', () => {
  expect(
    filled('$SYS.DATETIME|$SYS.DATE|$SYS.TIME|$SYS.WEEKDAY|$SYS.YEAR|$SYS.MONTH|$SYS.DAY|$SYS.HOUR'),
  ).toBe('2026-11-06 07:08:09|2026-11-06|07:08:09|Friday|2026|11|06|07');
  expect(filled('$SYS.MINUTE:$SYS.SECOND in $SYS.TIMEZONE')).toBe(
    `08:09 in ${new Intl.DateTimeFormat().resolvedOptions().timeZone}`,
  );
});

test('fills in the context and its metadata, whatever their case', () => {
  expect(filled('$CTX.USER_ID $CTX.TEAM_ID $CTX.LOCALE $CTX.CHAT_ID $CTX.ASSISTANT_ID')).toBe(
    'ann ops en-us c-1 shop',
  );
  expect(filled('$CTX.goal, $CTX.GOAL, $CTX.size, $CTX.order')).toBe('a refund, a refund, 3, {"id":1}');
});

test('what the context does not have is empty, what nobody knows stays', () => {
  expect(filled('[$CTX.nothing] $SYS.MOON $ENV.X $5')).toBe('[] $SYS.MOON $ENV.X $5');
});
