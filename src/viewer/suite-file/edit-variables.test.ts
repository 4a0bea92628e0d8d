import { expect, test } from 'vitest';
import type { VariableChanges } from './edit-variables.ts';
import { editVariables } from './edit-variables.ts';

const YAML = `# Every night.
id: nightly
name: "Nightly"   # as the team calls it

tests: [greeting, 'tag:smoke']
variables:
  variables:
    # The language of our customers.
    Language: de # and not en
    Count: 3

    Note: 'a long text that is much longer than eighty characters, and stays on the one line it was written on'
options:
  parallel: 2
`;

test('YAML keeps its comments and its layout', async () => {
  const edited = await editVariables(YAML, 'nightly.suite.yml', { Language: 'en', Count: null, Loud: true });
  expect(edited).toBe(
    YAML.replace('Language: de #', 'Language: en #')
      .replace('    Count: 3\n', '')
      .replace("written on'\n", "written on'\n    Loud: true\n"),
  );
});

test('YAML without variables gets them; texts that look like something else are quoted', async () => {
  const bare = 'id: a\nname: A\ntests:\n- x\n- y\n';
  expect(await editVariables(bare, 'a.suite.yaml', { Since: '2026-01-31', Note: 'yes: no', Zero: '0' })).toBe(
    `${bare}variables:\n  variables:\n    Since: 2026-01-31\n    Note: "yes: no"\n    Zero: "0"\n`,
  );
  expect(await editVariables(bare, 'a.suite.yaml', { Gone: null })).toBe(bare);
});

test('Windows line ends stay', async () => {
  const text = 'id: a\r\nname: A\r\ntests:\r\n  - x\r\nvariables:\r\n  variables:\r\n    N: 1\r\n';
  expect(await editVariables(text, 'a.suite.yml', { N: 2 })).toBe(text.replace('N: 1', 'N: 2'));
});

const JSON_TEXT = `\uFEFF{
    // Every night.
    "id": "nightly",
    "variables": {
        "variables": {
            "Language": "de", // and not en
            /* Three are enough. */
            "Count": 3, // or four
            // What people say.
            "Note": "x"
        }
    },
}
`;

test('JSON keeps its comments, its indentation and its mark', async () => {
  const edit = (changes: VariableChanges): Promise<string> =>
    editVariables(JSON_TEXT, 'nightly.suite.json', changes);
  expect(await edit({ Language: 'en', Note: '"y"' })).toBe(
    JSON_TEXT.replace('"de"', '"en"').replace('"x"', '"\\"y\\""'),
  );
  expect(await edit({ Loud: true })).toBe(
    JSON_TEXT.replace('"Note": "x"\n', '"Note": "x",\n            "Loud": true\n'),
  );
  expect(await edit({ Count: null })).toBe(JSON_TEXT.replace('            "Count": 3, // or four\n', ''));
  expect(await edit({ Note: null, Gone: null })).toBe(
    JSON_TEXT.replace('            "Note": "x"\n', '').replace('3, //', '3 //'),
  );
});

test('JSON on one line', async () => {
  const edit = (text: string, changes: VariableChanges): Promise<string> =>
    editVariables(text, 'a.suite.json', changes);
  const text = '{"id": "a", "variables": {"variables": {"A": 1, "B": 2}}}';
  expect(await edit(text, { A: null })).toBe('{"id": "a", "variables": {"variables": { "B": 2}}}');
  expect(await edit(text, { A: null, B: null })).toBe('{"id": "a", "variables": {"variables": { }}}');
  expect(JSON.parse(await edit('{"id": "a"}', { N: 1 }))).toEqual({
    id: 'a',
    variables: { variables: { N: 1 } },
  });
});

test.each([
  ['an alias', 'id: a\nx: &v\n  variables: { N: 1 }\nvariables: *v\n'],
  ['an anchor', 'id: a\nvariables:\n  variables:\n    N: &n 1\nmatrix:\n  M: [*n]\n'],
])('%s is refused instead of changing more than was asked for', async (_, text) => {
  await expect(editVariables(text, 'a.suite.yml', { N: 2 })).rejects.toThrow(
    /^a\.suite\.yml: cannot be changed here/,
  );
});

test('nothing but the value changes, however the rest of the file is written', async () => {
  const text = `id:   a
name: >
  A long
  name
tests: [greeting,  'tag:smoke']


variables:
    variables: { Language: de,   Greeting: "Guten Tag" }   # aligned
options: { parallel: 2 }
`;
  const edit = (changes: VariableChanges): Promise<string> => editVariables(text, 'a.suite.yml', changes);
  expect(await edit({ Language: 'en', Greeting: 'Good day' })).toBe(
    text.replace('de,', 'en,').replace('"Guten Tag"', 'Good day'),
  );
  expect(await edit({ Count: 3 })).toBe(text.replace('"Guten Tag" }', '"Guten Tag", Count: 3 }'));
});
