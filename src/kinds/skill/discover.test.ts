import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { ConfigError } from '../../errors.ts';
import skills, { discoverSkillTest, discoverSkillTests } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-discover-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), '');
  return join(folder, path);
}

const equipment = write('tests/equipment.tests.mjs');
const pricing = write('tests/pricing.tests.js');
const stock = write('tests/stock.tests.ts');
write('tests/equipment.tests.js');
write('outside.tests.mjs');
mkdirSync(join(folder, 'tests', 'folder.tests.mjs'));

const records = {
  'equipment-code': { shortName: 'equipment', type: 'cskill', skillDir: '/skills/equipment' },
  pricing: {},
  'stock-table': { shortName: 'stock', type: 'tskill' },
  untested: { shortName: 'untested' },
  folder: {},
};
const found = [
  {
    skillName: 'equipment-code',
    shortName: 'equipment',
    skillType: 'cskill',
    testFile: equipment,
    skillDir: '/skills/equipment',
  },
  { skillName: 'pricing', shortName: 'pricing', skillType: 'unknown', testFile: pricing },
  { skillName: 'stock-table', shortName: 'stock', skillType: 'tskill', testFile: stock },
];
const skillCatalog = new Map(Object.entries(records));
const list = Object.entries(records).map(([name, record]) => Object.assign({ name }, record));
class Library {
  startDir = folder;
  list = list;
  getSkills() {
    return new Set(this.list);
  }
}

function collect() {
  const warnings: string[] = [];
  return { warnings, warn: (message: string) => void warnings.push(message) };
}

test.each([
  ['a Map', { skillCatalog, startDir: folder }],
  ['an object', { skillCatalog: records, startDir: folder }],
  ['entries', { skillCatalog: skillCatalog.entries(), startDir: folder }],
  ['getSkills', { startDir: folder, getSkills: () => list }],
  ['a class with getSkills', new Library()],
])('finds the tests of the skills in %s', (_name, agent) => {
  expect(discoverSkillTests(agent)).toEqual(found);
});

test.each([
  ['the context', { context: { workingDir: folder }, options: { startDir: '/none' }, startDir: '/none' }],
  ['the options', { context: { workingDir: '' }, options: { startDir: folder }, startDir: '/none' }],
  ['the agent', { context: null, options: 5, startDir: folder }],
])('the folder comes from %s', (_name, place) => {
  expect(discoverSkillTests({ ...place, skillCatalog })).toEqual(found);
  expect(discoverSkillTests({ skillCatalog: new Map([['none', {}]]) })).toEqual([]);
});

test('finds one by its full name or its short name', () => {
  const agent = { skillCatalog, startDir: folder };
  const once = { skillCatalog: skillCatalog.entries(), startDir: folder };
  expect(discoverSkillTest(once, 'stock')).toEqual(found[2]);
  const names = ['equipment-code', 'equipment', 'pricing', 'untested', 'none', '../outside', ''];
  expect(names.map((name) => discoverSkillTest(agent, name))).toEqual([
    found[0],
    found[0],
    found[1],
    null,
    null,
    null,
    null,
  ]);
});

const lookups: [string, object][] = [
  [
    'findSkillFile',
    {
      findSkillFile: (name: string) =>
        name === 'equipment'
          ? {
              filePath: '/skills/equipment/cskill.md',
              record: { name: 'equipment-code', type: 'cskill', skillDir: '/skills/equipment' },
            }
          : null,
    },
  ],
  [
    'findSkillFile without a folder in its record',
    {
      findSkillFile: (name: string) =>
        name === 'equipment'
          ? { filePath: '/skills/equipment/cskill.md', record: { name: 'equipment-code', type: 'cskill' } }
          : undefined,
    },
  ],
  [
    'getSkillRecord, which knows aliases',
    new (class {
      aliases = ['equipment', 'equipment-code'];
      getSkillRecord(name: string) {
        if (!this.aliases.includes(name)) return null;
        return { name: 'equipment-code', ...records['equipment-code'] };
      }
    })(),
  ],
];

test.each(lookups)('an agent with %s is asked for a skill', (_name, lookup) => {
  const agent = Object.assign(lookup, { startDir: folder });
  expect(discoverSkillTest(agent, 'equipment')).toEqual(found[0]);
  expect(discoverSkillTest(agent, 'pricing')).toBe(null);
  expect(discoverSkillTests(agent)).toEqual([found[0]]);
});

test('an agent that returns the path of a descriptor has skills, too', () => {
  const findSkillFile = (name: string) => (name === 'pricing' ? '/skills/pricing/SKILL.md' : false);
  expect(discoverSkillTest({ startDir: folder, findSkillFile }, 'pricing')).toEqual({
    skillName: 'pricing',
    shortName: 'pricing',
    skillType: 'unknown',
    testFile: pricing,
    skillDir: '/skills/pricing',
  });
});

test('an agent with a list is asked for names that are not in it', () => {
  const getSkillRecord = (name: string) => (name === 'The Stock' ? { name, shortName: 'stock' } : null);
  const agent = { startDir: folder, skillCatalog, getSkillRecord };
  expect(discoverSkillTest(agent, 'The Stock')).toEqual({
    skillName: 'The Stock',
    shortName: 'stock',
    skillType: 'unknown',
    testFile: stock,
  });
  expect(discoverSkillTest(agent, 'untested')).toBe(null);
  expect(discoverSkillTests(agent)).toEqual(found);
});

test.each(['getSkills', 'findSkillFile', 'getSkillRecord'])('a promise of %s is told', (name) => {
  const { warnings, warn } = collect();
  const agent = { startDir: folder, [name]: async () => null };
  expect(discoverSkillTest(agent, 'pricing', { warn })).toBe(null);
  expect(discoverSkillTests(agent, { warn })).toEqual([]);
  const message = `the skills of the agent cannot be read: ${name} returned a promise; await its skills and pass them as skillCatalog`;
  expect(warnings).toEqual([message, message]);
});

test('unknown options are refused', () => {
  const error = new ConfigError('unknown option "warm"', { hint: 'did you mean warn?' });
  const options = { warm: () => undefined } as object;
  expect(() => discoverSkillTests({}, options)).toThrow(error);
  expect(() => discoverSkillTest({}, 'a', options)).toThrow(error);
});

test('a full name goes before a short name', () => {
  const both = new Map([
    ['a', { shortName: 'pricing' }],
    ['pricing', { shortName: 'equipment' }],
  ]);
  expect(discoverSkillTest({ skillCatalog: both, startDir: folder }, 'pricing')).toEqual({
    skillName: 'pricing',
    shortName: 'equipment',
    skillType: 'unknown',
    testFile: equipment,
  });
});

test('a short name that leaves the folder is left out with a warning', () => {
  const names = ['../outside', join(folder, 'outside'), 'sub\\outside', '..', 'a\0b'];
  const unsafe = names.map((shortName, index) => ({ name: `s${String(index)}`, shortName }));
  const agent = {
    startDir: folder,
    getSkills: () => [...unsafe, { name: '../outside' }, { name: 'pricing' }],
  };
  const { warnings, warn } = collect();
  expect(discoverSkillTests(agent, { warn })).toEqual([found[1]]);
  expect(warnings).toEqual(
    [...unsafe, { name: '../outside', shortName: '../outside' }].map(
      ({ name, shortName }) =>
        `skill "${name}" is left out: its short name ${JSON.stringify(shortName)} cannot name a test file`,
    ),
  );
  const console_ = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(discoverSkillTest(agent, 's3')).toBe(null);
  expect(console_.mock.calls).toEqual([
    ['skill "s3" is left out: its short name ".." cannot name a test file'],
  ]);
  console_.mockRestore();
});

test('a strange agent has no tests', () => {
  const { warn } = collect();
  const strange: unknown[] = [
    undefined,
    null,
    'agent',
    {},
    { skillCatalog: 5 },
    { skillCatalog: [1, null, [], [5, {}], ['x', null]], startDir: folder },
    { getSkills: () => Promise.resolve([]) },
    { getSkills: () => null },
  ];
  expect(strange.map((agent) => discoverSkillTests(agent, { warn }))).toEqual(strange.map(() => []));
});

test('an agent that throws has no tests, with a warning', () => {
  const { warnings, warn } = collect();
  const getSkills = (): never => {
    throw new Error('not loaded');
  };
  expect(discoverSkillTests({ getSkills }, { warn })).toEqual([]);
  expect(warnings).toEqual(['the skills of the agent cannot be read: not loaded']);
});

test('the default export has the five functions', () => {
  expect(Object.keys(skills)).toEqual([
    'discoverSkillTests',
    'discoverSkillTest',
    'runTestFile',
    'runTestFileInProcess',
    'runTestSuite',
  ]);
});
