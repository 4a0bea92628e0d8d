import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findSkills, testOfSkill } from './catalogue.ts';

const base = mkdtempSync(join(tmpdir(), 'assay-catalogue-'));
afterAll(() => rmSync(base, { recursive: true }));
let count = 0;

/** A folder with these files. */
function application(files: Record<string, string>): string {
  const root = join(base, String((count += 1)));
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function find(root: string) {
  const warnings: string[] = [];
  const skills = await findSkills(root, { warn: (message) => void warnings.push(message) });
  return { skills, warnings };
}

test('finds the skills of every kind of folder, sorted by name', async () => {
  const root = application({
    'skills/zebra/SKILL.md': '---\nname: Zebra Finder\ndescription: Finds zebras.\n---\n# Zebra\n---\n',
    'skills/notes/README.md': 'no skill',
    'skills/file.md': 'no folder',
    '.claude/skills/mail/SKILL.md': '\uFEFF---\r\nname: mail\r\n---\r\nText',
    '.AchillesSkills/stock/tskill.md': '# Stock\n',
    '.AchillesSkills/equipment/cskill.md': '# Equipment\n',
    '.AchillesSkills/plan/oskill.md': '',
  });
  const achilles = (name: string, type: string) => {
    const skillDir = join(root, '.AchillesSkills', name);
    return { name, shortName: name, type, skillDir, descriptor: join(skillDir, `${type}.md`) };
  };
  expect(await find(root)).toEqual({
    skills: [
      {
        name: 'Zebra Finder',
        shortName: 'zebra',
        type: 'skill',
        skillDir: join(root, 'skills/zebra'),
        descriptor: join(root, 'skills/zebra/SKILL.md'),
        description: 'Finds zebras.',
      },
      achilles('equipment', 'cskill'),
      {
        name: 'mail',
        shortName: 'mail',
        type: 'skill',
        skillDir: join(root, '.claude/skills/mail'),
        descriptor: join(root, '.claude/skills/mail/SKILL.md'),
      },
      achilles('plan', 'oskill'),
      achilles('stock', 'tskill'),
    ],
    warnings: [],
  });
  expect(await find(join(root, 'none'))).toEqual({ skills: [], warnings: [] });
});

test('broken front matter is a warning; the name is that of the folder', async () => {
  const root = application({
    'skills/a/SKILL.md': '---\nname: [\n---\n',
    'skills/b/SKILL.md': '---\nname: endless\n',
    'skills/c/SKILL.md': '---\n- list\n---\n',
    'skills/d/SKILL.md': '---\nname: 5\n---\n',
    'skills/e/SKILL.md': '---\n---\n',
  });
  const { skills, warnings } = await find(root);
  expect(skills.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(warnings.map((text) => text.slice(0, 60))).toEqual([
    expect.stringMatching(/^skills\/a\/SKILL\.md:\d: invalid YAML: /),
    'skills/b/SKILL.md: its front matter has no end; add a line w',
    'skills/c/SKILL.md: its front matter has no fields',
  ]);
});

test('of two skills with a name both are found; a link to one is no other one', async () => {
  const root = application({
    'skills/one/SKILL.md': '---\nname: same\n---\n',
    'skills/two/SKILL.md': '---\nname: same\n---\n',
  });
  mkdirSync(join(root, '.claude/skills'), { recursive: true });
  symlinkSync(join(root, 'skills/one'), join(root, '.claude/skills/one'));
  const { skills, warnings } = await find(root);
  expect(skills.map(({ name, skillDir }) => [name, skillDir])).toEqual([
    ['same', join(root, 'skills/one')],
    ['same (skills/two)', join(root, 'skills/two')],
  ]);
  expect(warnings).toEqual([
    'skills/two/SKILL.md is listed as "same (skills/two)": skills/one/SKILL.md has the same name "same"',
  ]);
});

test('a test is in the folder of the application or of the skill', async () => {
  const root = application({
    'skills/a/SKILL.md': '',
    'skills/a/tests/a.tests.mjs': '',
    'skills/b/SKILL.md': '',
    'skills/b/tests/b.tests.mjs': '',
    'skills/c/SKILL.md': '',
    'tests/b.tests.ts': '',
  });
  const { skills } = await find(root);
  const test = (name: string, testFile: string) => ({
    skillName: name,
    shortName: name,
    skillType: 'skill',
    testFile: join(root, testFile),
    skillDir: join(root, 'skills', name),
  });
  expect(skills.map((skill) => testOfSkill(skill, root))).toEqual([
    test('a', 'skills/a/tests/a.tests.mjs'),
    test('b', 'tests/b.tests.ts'),
    undefined,
  ]);
});
