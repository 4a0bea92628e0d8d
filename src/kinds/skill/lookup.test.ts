import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { findSkillFile, getSkillRecord } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-lookup-'));
afterAll(() => rmSync(root, { recursive: true }));
const skillDir = join(root, '.agents/skills/pricing');
mkdirSync(skillDir, { recursive: true });
writeFileSync(join(skillDir, 'SKILL.md'), '---\nname: acme.pricing\ndescription: Prices things.\n---\n');

const record = {
  name: 'acme.pricing',
  shortName: 'pricing',
  type: 'skill',
  skillDir,
  filePath: join(skillDir, 'SKILL.md'),
  description: 'Prices things.',
};

test('finds a skill by its full name or its short name', async () => {
  expect(await getSkillRecord('acme.pricing', { root })).toEqual(record);
  expect(await getSkillRecord('pricing', { root })).toEqual(record);
  expect(await findSkillFile('pricing', { root })).toEqual({ filePath: record.filePath, record });
});

test.each([
  ['pricng', {}, 'no skill "pricng"', 'did you mean pricing?'],
  ['*', {}, 'no skill "*"', 'there is acme.pricing'],
  ['pricing', { rot: root }, 'unknown option "rot"', 'did you mean root?'],
  [
    'pricing',
    { root: join(root, 'none') },
    /^there are no skills below /,
    /^a skill is a folder with a SKILL\.md, or a descriptor like cskill\.md, in skills\//,
  ],
])('%s with %o is refused', async (name, options, message, hint) => {
  for (const lookUp of [getSkillRecord, findSkillFile]) {
    const error: unknown = await lookUp(name, { root, ...options }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ConfigError)) throw new Error('expected a ConfigError');
    expect(error.message).toMatch(message);
    expect(error.problems[0]?.hint).toMatch(hint);
  }
});
