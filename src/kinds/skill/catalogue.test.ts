import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
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
  const tests = (skillDir: string) => ({ testFolders: [join(root, 'tests'), join(skillDir, 'tests')] });
  const achilles = (name: string, type: string) => {
    const skillDir = join(root, '.AchillesSkills', name);
    return {
      name,
      shortName: name,
      type,
      skillDir,
      filePath: join(skillDir, `${type}.md`),
      ...tests(skillDir),
    };
  };
  expect(await find(root)).toEqual({
    skills: [
      {
        name: 'Zebra Finder',
        shortName: 'zebra',
        type: 'skill',
        skillDir: join(root, 'skills/zebra'),
        filePath: join(root, 'skills/zebra/SKILL.md'),
        description: 'Finds zebras.',
        ...tests(join(root, 'skills/zebra')),
      },
      achilles('equipment', 'cskill'),
      {
        name: 'mail',
        shortName: 'mail',
        type: 'skill',
        skillDir: join(root, '.claude/skills/mail'),
        filePath: join(root, '.claude/skills/mail/SKILL.md'),
        ...tests(join(root, '.claude/skills/mail')),
      },
      achilles('plan', 'oskill'),
      achilles('stock', 'tskill'),
    ],
    warnings: [],
  });
  expect(await find(join(root, 'none'))).toEqual({ skills: [], warnings: [] });
});

/** Each skill with its type and its folder. */
async function foldersOf(files: Record<string, string>) {
  const root = application(files);
  const { skills, warnings } = await find(root);
  return {
    skills: skills.map(({ name, type, skillDir }) => `${name} ${type} ${relative(root, skillDir)}`),
    warnings,
  };
}

test('descriptors may be spelled in other ways, and folders may group skills', async () => {
  expect(
    await foldersOf({
      'skills/a/skill.md': '',
      'skills/b/Skill.md': '',
      'skills/c/cskill.md': '',
      'skills/d/dcgskill.md': '',
      'skills/e/e.skill.md': '',
      'skills/f/SKILL.md': '',
      'skills/f/nested/SKILL.md': 'part of f',
      'skills/group/g/oskill.md': '',
      'skills/group/deep/h/SKILL.md': '',
      'skills/group/deep/deeper/i/SKILL.md': 'too deep',
      'skills/node_modules/j/SKILL.md': '',
      'skills/k/my-skill.md': 'a text',
      'skills/SKILL.md': 'an index',
    }),
  ).toEqual({
    skills: [
      'a skill skills/a',
      'b skill skills/b',
      'c cskill skills/c',
      'd dcgskill skills/d',
      'e skill skills/e',
      'f skill skills/f',
      'g oskill skills/group/g',
      'h skill skills/group/deep/h',
    ],
    warnings: [],
  });
});

test('folders of tools and plugins are searched', async () => {
  const plugin = (skills: unknown) => JSON.stringify({ name: 'p', skills });
  expect(
    await foldersOf({
      '.agents/skills/a/SKILL.md': '',
      '.github/skills/b/SKILL.md': '',
      '.codex/skills/c/SKILL.md': '',
      'plugins/one/skills/d/SKILL.md': '',
      'plugins/two/.claude-plugin/plugin.json': plugin('./extra'),
      'plugins/two/extra/e/SKILL.md': '',
      '.claude/plugins/three/skills/f/SKILL.md': '',
      'beside/.claude-plugin/plugin.json': plugin(['./g', '../../outside', 5]),
      'beside/g/SKILL.md': '',
      'market/h/skills/h/SKILL.md': '',
      'market/i/SKILL.md': '',
      'broken/.claude-plugin/plugin.json': '{',
      '.claude-plugin/plugin.json': plugin('./own'),
      'own/j/cskill.md': '',
      '.claude-plugin/marketplace.json': JSON.stringify({
        plugins: [
          { source: './market/h' },
          { source: './', skills: ['./market/i'] },
          { source: { source: 'github', repo: 'x/y' } },
          { source: '../elsewhere' },
          null,
        ],
      }),
      '.git/skills/k/SKILL.md': '',
    }),
  ).toEqual({
    skills: [
      'a skill .agents/skills/a',
      'b skill .github/skills/b',
      'c skill .codex/skills/c',
      'd skill plugins/one/skills/d',
      'e skill plugins/two/extra/e',
      'f skill .claude/plugins/three/skills/f',
      'g skill beside/g',
      'h skill market/h/skills/h',
      'i skill market/i',
      'j cskill own/j',
    ],
    warnings: [
      'beside/.claude-plugin/plugin.json: ../../outside is left out: it is outside the application',
      expect.stringMatching(/^broken\/\.claude-plugin\/plugin\.json: .*JSON/),
      '.claude-plugin/marketplace.json: ../elsewhere is left out: it is outside the application',
    ],
  });
});

test('the first place of a name wins, and the others are told', async () => {
  expect(
    await foldersOf({
      'plugins/p/skills/same/SKILL.md': '',
      '.github/skills/same/SKILL.md': '',
      '.agents/skills/same/SKILL.md': '',
      '.claude/skills/same/SKILL.md': '',
      'skills/same/cskill.md': '',
      'skills/same/SKILL.md': '',
    }),
  ).toEqual({
    skills: [
      'same skill skills/same',
      'same (.agents/skills/same) skill .agents/skills/same',
      'same (.claude/skills/same) skill .claude/skills/same',
      'same (.github/skills/same) skill .github/skills/same',
      'same (plugins/p/skills/same) skill plugins/p/skills/same',
    ],
    warnings: [
      'skills/same/cskill.md is left out: skills/same/SKILL.md describes skills/same',
      ...['.claude/skills', '.agents/skills', '.github/skills', 'plugins/p/skills'].map(
        (folder) =>
          `${folder}/same/SKILL.md is listed as "same (${folder}/same)": skills/same/SKILL.md has the same name "same"`,
      ),
    ],
  });
});

test('a test belongs to one skill; a plugin has tests of its own', async () => {
  const root = application({
    'skills/a/SKILL.md': '',
    'plugins/p/skills/a/SKILL.md': '---\nname: 0-first-by-name\n---\n',
    'plugins/p/skills/b/SKILL.md': '',
    'plugins/p/skills/c/SKILL.md': '',
    'tests/a.tests.mjs': '',
    'tests/c.tests.mjs': '',
    'plugins/p/tests/b.tests.mjs': '',
  });
  const { skills } = await find(root);
  const tests = skills.map((skill) => [skill.name, testOfSkill(skill)?.testFile]);
  expect(tests).toEqual([
    ['0-first-by-name', undefined],
    ['a', join(root, 'tests/a.tests.mjs')],
    ['b', join(root, 'plugins/p/tests/b.tests.mjs')],
    ['c', join(root, 'tests/c.tests.mjs')],
  ]);
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
  expect(skills.map((skill) => testOfSkill(skill))).toEqual([
    test('a', 'skills/a/tests/a.tests.mjs'),
    test('b', 'tests/b.tests.ts'),
    undefined,
  ]);
});
