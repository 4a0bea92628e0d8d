import { expect, test } from 'vitest';
import { TemplateError } from './expression.ts';
import { renderTemplate } from './render.ts';
import { plainNames } from './template.ts';

const VALUES = {
  name: 'Ann',
  n: 3,
  on: true,
  list: ['a', 'b'],
  user: { city: 'Oslo', tags: ['x'] },
  empty: '',
};

test.each([
  ['Hello {{name}} and {{ nobody }}!', 'Hello Ann and !'],
  ['{{ name | upper }} {{ name|lower|capitalize }}', 'ANN Ann'],
  ['{{ user.city }} {{ user["tags"][0] }} {{ list | join(", ") }} {{ list }}', 'Oslo x a, b a,b'],
  ['{{ user | dump }}', '{"city":"Oslo","tags":["x"]}'],
  ['{{ missing | default("none") }} {{ empty | default("none", true) }}', 'none none'],
  ['{% if n > 2 and not empty %}many{% elif n %}some{% else %}none{% endif %}', 'many'],
  ['{% if "a" in list %}yes{% endif %}{% if name is defined %}!{% endif %}', 'yes!'],
  ['{% for one in list %}{{ loop.index }}{{ one }}{% if not loop.last %};{% endif %}{% endfor %}', '1a;2b'],
  ['{% for key, value in user %}{{ key }} {% endfor %}', 'city tags '],
  ['{% for one in nothing %}x{% else %}none{% endfor %}', 'none'],
  ['{% set x = n + 1 %}{{ x * 2 }} {{ name ~ n }} {{ "yes" if on else "no" }}', '8 Ann3 yes'],
  ['a {#- gone -#} b {%- if on %} c {%- endif %}', 'ab c'],
  ['{% raw %}{{ name }}{% endraw %}', '{{ name }}'],
])('%s', (template, text) => {
  expect(renderTemplate(template, VALUES)).toBe(text);
});

test.each([
  ['{{ user }}', 'it writes an object as text; use the filter dump'],
  ['{{ name | shout }}', 'the filter "shout" is not known here'],
  ['{% include "a" %}', '{% include %} is not known here'],
  ['{{ env.KEY }}', 'it reads the environment, which is known only when the tests run'],
  ['{{ name', '{{ is not closed'],
  ['{% if on %}', '{% endif %} is missing'],
  ['{{ range(3) }}', 'it calls a function: range(3)'],
  ['{{ a b }}', '"b" in a b is not known here'],
])('%s cannot be computed', (template, message) => {
  expect(() => renderTemplate(template, VALUES)).toThrow(new TemplateError(message));
});

test.each([
  ['no names', []],
  ['{{a}} {{ b }} {{a}}', ['a', 'b']],
  ['{{ a.b }}', undefined],
  ['{{ a | upper }}', undefined],
  ['{% if a %}{% endif %}', undefined],
])('the names of %s', (template, names) => {
  expect(plainNames(template)).toEqual(names);
});
