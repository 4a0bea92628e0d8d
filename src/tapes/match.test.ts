import { smallestGrowth } from '../../test/growth.ts';
import { describe, expect, test } from 'vitest';
import { compileReplacement } from '../platform/regex.ts';
import { Recordings } from './match.ts';
import type { TapeRules } from './normalize.ts';
import { createNormalizer } from './normalize.ts';
import { cleanUrl, matchesMasked, textWithoutCredentials, withoutCredentials } from './secrets.ts';
import type { Exchange, TapedRequest } from './tape-file.ts';

const post = (json: unknown, url = 'https://api.test/v1/chat'): TapedRequest => ({
  method: 'POST',
  url,
  json,
});
const said = (request: TapedRequest, text: string, status = 200): Exchange => ({
  request,
  response: { status, after_ms: 1, text },
});
const recordings = (exchanges: Exchange[], rules: TapeRules = {}) =>
  new Recordings(exchanges, createNormalizer(rules, compileReplacement));
const textOf = (exchange: Exchange | undefined): unknown =>
  exchange?.response !== undefined && 'text' in exchange.response ? exchange.response.text : undefined;

describe('what changes by itself makes no difference', () => {
  const SAME: [name: string, recorded: unknown, asked: unknown][] = [
    ['uuids', 'id 6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'id 16fd2706-8baf-433b-82eb-8c7fada847da'],
    ['times', 'at 2026-11-16T15:59:19.526Z', 'at 2027-01-02T03:04:05+01:00'],
    ['dates', 'Today is 2026-11-16.', 'Today is 2027-01-02.'],
    ['dates in words', 'Today is Monday, November 16, 2026', 'Today is Sat, Jan 2, 2027'],
    ['dates the other way round', 'on 16 Nov 2026', 'on 2 January 2027'],
    ['the clock', 'it is 15:59', 'it is 3:04 PM'],
    ['seconds since 1970', { created: 1_763_308_759 }, { created: 1_800_000_000 }],
    ['milliseconds since 1970', 'v=1763308759526', 'v=1800000000000'],
    ['ids of services', 'chatcmpl-Abc123xyz and call_9f8e7d6c', 'chatcmpl-Zzz999abc and call_11aa22bb'],
    [
      'how long things took',
      { took_ms: 12.5, said: '{"duration_ms":3}' },
      { took_ms: 99, said: '{"duration_ms":44}' },
    ],
    ['hashes', 'sha 0123456789abcdef0123', 'sha fedcba98765432100123'],
    ['ids of tool calls', { tool_call_id: 'x1' }, { tool_call_id: 'anything' }],
    ['ids in tool calls', { tool_calls: [{ id: 'a', name: 'n' }] }, { tool_calls: [{ id: 'b', name: 'n' }] }],
    ['ids of JSON-RPC', { jsonrpc: '2.0', id: 1, method: 'm' }, { jsonrpc: '2.0', id: 7, method: 'm' }],
    ['the order of fields', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ];

  test.each(SAME)('%s', (_name, recorded, asked) => {
    expect(textOf(recordings([said(post(recorded), 'yes')]).take(post(asked)))).toBe('yes');
  });

  const OTHER: [name: string, recorded: unknown, asked: unknown][] = [
    ['words', 'hello', 'hallo'],
    ['numbers', { count: 3 }, { count: 4 }],
    ['order numbers', 'order A-1001', 'order A-1002'],
    ['prices', 'costs 19.99', 'costs 29.99'],
    ['ids that mean something', { id: 'customer-a' }, { id: 'customer-b' }],
    ['lists in another order', [1, 2], [2, 1]],
  ];

  test.each(OTHER)('but %s do', (_name, recorded, asked) => {
    expect(recordings([said(post(recorded), 'no')]).take(post(asked))).toBeUndefined();
  });

  test('ports of this machine, whichever the server got', () => {
    const [here, there] = ['http://127.0.0.1:4000/a', 'http://127.0.0.1:5000/a'].map((url) => post(1, url));
    if (here === undefined || there === undefined) throw new Error('two');
    expect(textOf(recordings([said(here, 'yes')]).take(there))).toBe('yes');
  });
});

test('every recording answers once, in order; the same words win over the same meaning', () => {
  const [monday, tuesday] = ['2026-11-16', '2026-11-17'].map((day) => post({ day }));
  if (monday === undefined || tuesday === undefined) throw new Error('two');
  const tape = recordings([said(monday, 'a'), said(tuesday, 'b'), said(tuesday, 'c')]);
  expect([tuesday, tuesday, tuesday, tuesday].map((request) => textOf(tape.take(request)))).toEqual([
    'b',
    'c',
    'a',
    undefined,
  ]);
  expect(tape.explain(tuesday)).toBe('it was recorded 3 times and is asked for once more');
});

test('a refusal answers as often as it is asked for', () => {
  const tape = recordings([said(post(1), 'busy', 503)]);
  expect([1, 1, 1].map((body) => textOf(tape.take(post(body))))).toEqual(['busy', 'busy', 'busy']);
  expect(tape.unused()).toEqual([]);
});

test('own rules: names that are ignored, also in addresses, and patterns that are replaced', () => {
  const rules = { ignore: ['session'], replace: [{ pattern: 'v(\\d)\\.\\d', with: 'v$1' }] };
  const tape = recordings(
    [said(post({ session: 'a', text: 'v1.2' }, 'https://x.test/?session=1&q=2'), 'yes')],
    rules,
  );
  expect(textOf(tape.take(post({ session: 'b', text: 'v1.3' }, 'https://x.test/?session=9&q=2')))).toBe(
    'yes',
  );
  expect(recordings([said(post('v1.2'), 'yes')], rules).take(post('v2.2'))).toBeUndefined();
});

test('the nearest recording is shown with what is different, and nothing else', () => {
  const messages = (...texts: string[]) => texts.map((content) => ({ role: 'user', content }));
  const tape = recordings([
    said({ method: 'GET', url: 'https://api.test/v1/models' }, 'models'),
    said(post({ at: '2026-01-01T00:00:00Z', messages: messages('one') }), 'one'),
    said(
      post({ at: '2026-01-01T00:00:00Z', messages: messages('one', 'what is the weather in Rome?') }),
      'two',
    ),
  ]);
  const asked = post({
    at: '2027-01-01T00:00:00Z',
    messages: messages('one', 'what is the weather in Oslo?'),
    n: 2,
  });
  expect(tape.take(asked)).toBeUndefined();
  expect(tape.explain(asked)).toBe(
    'json.messages[1].content was "…t is the weather in Rome?", is "…t is the weather in Oslo?"; json.n was nothing, is 2 (nearest: request 3 of the recording)',
  );
  expect(recordings([]).explain(asked)).toBe('nothing is recorded for this attempt');
});

test('secrets: fields, parameters and texts that hold one, and anything where one was', () => {
  expect([
    cleanUrl('https://me:pw@x.test/a?api_key=12345678&q=1#f'),
    cleanUrl('https://x.test/a?X-Amz-Signature=abc&sig=1'),
    cleanUrl('/relative?access_token=abc'),
  ]).toEqual([
    'https://x.test/a?api_key=__secret__&q=1',
    'https://x.test/a?X-Amz-Signature=__secret__&sig=__secret__',
    '/relative?access_token=__secret__',
  ]);
  const fields = {
    a: [{ access_token: 'x', apiKey: 'y', token: 'kept', max_tokens: 5, key: 'kept' }],
    passwords: ['a', { b: 'c' }],
    'client-secret': 'x',
    aws_secret_access_key: 'x',
    github_token: '',
    said: 'she said {"password": "x\\"y"}',
  };
  expect(withoutCredentials(fields)).toEqual({
    a: [{ access_token: '__secret__', apiKey: '__secret__', token: 'kept', max_tokens: 5, key: 'kept' }],
    passwords: ['__secret__', { b: '__secret__' }],
    'client-secret': '__secret__',
    aws_secret_access_key: '__secret__',
    github_token: '',
    said: 'she said {"password": "__secret__"}',
  });
  expect(
    [
      'grant_type=password&password=hunter2&client_secret=s3',
      '{\n  "access_token" : "abc",\n  "token_type": "bearer"\n}',
      '--boundary\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--boundary--',
      'a secret between friends, "key": "kept"',
    ].map((text) => textWithoutCredentials(text)),
  ).toEqual([
    'grant_type=password&password=__secret__&client_secret=__secret__',
    '{\n  "access_token" : "__secret__",\n  "token_type": "bearer"\n}',
    '--boundary\r\nContent-Disposition: form-data; name="password"\r\n\r\n__secret__\r\n--boundary--',
    'a secret between friends, "key": "kept"',
  ]);
  expect(
    [
      ['key=sk-1 end', 'key=__secret__ end'],
      ['key= end', 'key=__secret__ end'],
      ['key=sk-1 END', 'key=__secret__ end'],
      ['a 1 b 2 c', 'a __secret__ b __secret__ c'],
      ['ab', 'ab__secret__b'],
    ].map(([text = '', recorded = '']) => matchesMasked(text, recorded)),
  ).toEqual([true, true, false, true, false]);
  const tape = recordings([said(post({ prompt: 'use __secret__ here' }), 'yes')]);
  expect(textOf(tape.take(post({ prompt: 'use sk-12345 here' })))).toBe('yes');
  expect(recordings([said(post('a *** b'), 'yes')]).take(post('a changed b'))).toBeUndefined();
});

test('secrets: XML, attributes, YAML and tokens that look like one, and what was masked', () => {
  const found: string[] = [];
  expect(
    [
      '<a><b:password kind="x"> hunter2-word</b:password><key>kept</key></a>',
      '<password><![CDATA[hunter2-cdata]]></password>',
      '<user name="kept" api-key="attribute-1"/>',
      'name: kept\n  password: "yaml-value-1"\ntoken: kept\n- secret_key: yaml-value-2',
      '{"token":"eyJhbGciOiJIUzI1NiJ9.e30.abc"} {"token":" the"}',
      'the password is not a secret: it is kept',
    ].map((text) => textWithoutCredentials(text, (secrets) => found.push(...secrets))),
  ).toEqual([
    '<a><b:password kind="x"> __secret__</b:password><key>kept</key></a>',
    '<password><![CDATA[__secret__]]></password>',
    '<user name="kept" api-key="__secret__"/>',
    'name: kept\n  password: "__secret__"\ntoken: kept\n- secret_key: __secret__',
    '{"token":"__secret__"} {"token":" the"}',
    'the password is not a secret: it is kept',
  ]);
  expect(found).toEqual([
    'hunter2-word',
    'hunter2-cdata',
    'attribute-1',
    'yaml-value-1',
    'yaml-value-2',
    'eyJhbGciOiJIUzI1NiJ9.e30.abc',
  ]);
});

test.each([
  ['elements', '<password a'],
  ['attributes', ' password="a'],
  ['lines', 'password: "a\n'],
  ['one line', 'password: '],
])('secrets: text with many %s takes linear time', async (_, part) => {
  const work = (size: number) => {
    const text = part.repeat(size / part.length);
    return () => textWithoutCredentials(text);
  };
  expect(await smallestGrowth(work, { small: 100_000, large: 400_000, floorUs: 2000 })).toBeLessThan(10);
});
