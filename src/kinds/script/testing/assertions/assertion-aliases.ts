// Names of assertions in other libraries, and their equivalents here.

import { nearest } from '../../../../text/nearest.ts';
import { ASSERTIONS } from './assertions.ts';

const NAMES = [...Object.keys(ASSERTIONS), 'Agent'];

/** By our name: the lower-case names in other libraries. */
const ALIASES: Record<string, string> = {
  Contains: 'has includes include tocontain tocontainequal',
  Equal:
    'deepequal deepstrictequal eq eql equalvalues exactly is jsoneq like same strictequal tobe toequal tostrictequal',
  False: 'falsy isfalse isfalsy notok nottruthy tobefalsy',
  Greater: 'above gt isabove tobegreaterthan',
  GreaterOrEqual: 'atleast gte isatleast tobegreaterthanorequal',
  JSONPath: 'hasproperty nestedproperty property propertyval tohaveproperty',
  Len: 'haslength length lengthof tohavelength',
  Less: 'below isbelow lt tobelessthan',
  LessOrEqual: 'atmost isatmost lte tobelessthanorequal',
  Match: 'matches regex regexp tomatch',
  Nil: 'isnil isnull isundefined null tobenull tobeundefined undefined',
  NoError: 'iferror noterror',
  NoPanic: 'doesnotreject doesnotthrow nothrow notpanics notthrows notthrowsasync',
  NotContains: 'doesnotcontain doesnotinclude notinclude notincludes',
  NotEqual: 'isnot ne not notdeepequal notdeepstrictequal notequals notsame notstrictequal',
  NotMatch: 'doesnotmatch notregex notregexp',
  NotNil: 'defined exists isdefined isnotnil isnotnull notnull notundefined tobedefined',
  Panic:
    'panics panicswitherror panicswithvalue raises rejects throw throws throwsasync tothrow tothrowerror',
  True: 'istrue istruthy ok tobetruthy truthy',
  Type: 'implements instance instanceof isinstanceof istype tobeinstanceof typeof',
};

const CLOSE = 'compare nearly equal numbers with Less(Math.abs(a - b), 0.1)';
const MESSAGE = 'check Error(error), and Match(error.message, /…/) for its text';
const MEMBERS = 'sort both lists and compare them with Equal';

/** Advice for assertions of other libraries that have no counterpart here. */
const ADVICE: Record<string, string> = {
  approximately: CLOSE,
  closeto: CLOSE,
  elementsmatch: MEMBERS,
  empty: 'write Len(value, 0)',
  equalerror: MESSAGE,
  erroras: 'check Type(error, "RangeError") for its class',
  errorcontains: MESSAGE,
  erroris: MESSAGE,
  eventually: 'await what the test waits for',
  fail: 'call t.fail(reason)',
  failnow: 'call t.fatal(reason)',
  indelta: CLOSE,
  inepsilon: CLOSE,
  isempty: 'write Len(value, 0)',
  isnotempty: 'write Greater(value.length, 0)',
  notempty: 'write Greater(value.length, 0)',
  samemembers: MEMBERS,
  tobecloseto: CLOSE,
};

const BY_ALIAS = new Map(
  Object.entries(ALIASES).flatMap(([name, aliases]) =>
    aliases.split(' ').map((alias): [string, string] => [alias, name]),
  ),
);

/** Our assertion with this name in another library, or in other letter case. */
export function assertionFor(name: string): string | undefined {
  const lower = name.toLowerCase();
  return NAMES.find((own) => own.toLowerCase() === lower) ?? BY_ALIAS.get(lower);
}

/** Says that `t.assert` has no such assertion, and suggests one. */
export function explainAssertion(name: string): string {
  const lower = name.toLowerCase();
  const advice = Object.hasOwn(ADVICE, lower) ? ADVICE[lower] : undefined;
  const best = assertionFor(name) ?? nearest(name, NAMES, { max: 1 })[0];
  const hint = advice ?? (best === undefined ? undefined : `did you mean ${best}?`);
  return `t.assert.${name} is not an assertion${hint === undefined ? '' : `; ${hint}`}`;
}
