// How often verdicts are wrong, and what they see: simulated suites whose truth is known, on the functions of src/stats.
// `--write` puts the table and the pictures into docs/.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verdict } from './measure.mjs';
import { checkProgram } from './verdict-command.mjs';
import { checkScores } from './verdict-scores.mjs';
import { drawFalseAlarms, drawPower } from './verdict-pictures.mjs';
import {
  createRandom,
  drawCases,
  drawRates,
  pickGood,
  setRates,
  spreadDrop,
  worldMean,
} from './verdict-worlds.mjs';

const SOURCES = 'auto-rule compare-runs confirm gates models paired-cases rates score-difference'.split(' ');
const LEVEL = 0.025 + 1e-9;
const DESIGNS = [
  [100, 1, 1],
  [100, 3, 3],
  [100, 10, 3],
  [100, 30, 3],
  [20, 10, 10],
];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const named = ([cases, ra, rb]) => `${cases} cases, ${ra}→${rb}`;

export async function benchVerdicts({ here, quick, write }) {
  const stats = await buildStats(here);
  const draws = quick ? 1000 : 10_000;
  // Fewer draws scatter more: three standard errors are allowed on top of a limit.
  const chance = (share, count = draws) => (quick ? 3 * Math.sqrt((share * (1 - share)) / count) : 0);
  const rows = [];
  const check = (name, value, isFine, wanted) => {
    rows.push({ name, value, wanted });
    return verdict(
      name,
      value,
      isFine,
      quick ? `${wanted}; few draws, so three standard errors more` : wanted,
    );
  };
  const tools = { stats, draws, chance, check, random: createRandom(20) };
  const falseAlarms = [];
  const power = {};
  const results = [
    checkFalseAlarms(tools, falseAlarms),
    checkPower(tools, power),
    checkCoverage(tools),
    checkAuto(tools),
    checkRounds(tools),
    checkConfirm(tools),
    checkNames(tools),
    checkKnownValues(here, check),
    checkSuiteIntervals(tools),
    checkProgram(here, tools),
    checkScores(tools),
  ];
  if (write) {
    writeTable(join(here, '../docs/how-sure.md'), rows, draws);
    writeFileSync(join(here, '../docs/images/false-alarms.svg'), drawFalseAlarms(falseAlarms));
    writeFileSync(join(here, '../docs/images/power.svg'), drawPower(power));
  }
  return results.every(Boolean);
}

/** The functions of src/stats as one built module. */
async function buildStats(here) {
  const { build } = createRequire(join(here, '..', 'package.json'))('esbuild');
  const folder = mkdtempSync(join(here, '..', 'node_modules', '.assay-stats-'));
  try {
    const outfile = join(folder, 'stats.mjs');
    const contents = SOURCES.map((name) => `export * from './src/stats/${name}.ts';`).join('\n');
    await build({
      stdin: { contents, resolveDir: join(here, '..') },
      outfile,
      bundle: true,
      format: 'esm',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isAlarm({ pWorse, proven }) {
  return pWorse <= LEVEL || proven.length > 0;
}

/** (1) Nothing changed; 5 % of attempts are missing. */
function checkFalseAlarms({ stats, draws, chance, check, random }, pictures) {
  const shares = [];
  let isFine = true;
  for (const world of ['typical', 'good', 'flaky', 'nearly'])
    for (const design of DESIGNS) {
      const [count, ...runs] = design;
      let alarms = 0;
      let lower = 0;
      for (let draw = 0; draw < draws; draw += 1) {
        const rates = drawRates(random, world, count);
        const cases = drawCases(random, rates, rates, runs, 0.05);
        if (isAlarm(stats.compareRuns(cases))) alarms += 1;
        if (cases.some(({ xa, ra, xb, rb }) => ra > 0 && rb > 0 && xb / rb < xa / ra)) lower += 1;
      }
      const share = alarms / draws;
      shares.push(share);
      if (world === 'typical') pictures.push({ name: named(design), ours: share, anyDrop: lower / draws });
      const name = `false alarms, nothing changed, ${world}, ${named(design)}`;
      isFine = check(name, percent(share), share <= 0.05 + chance(0.05), 'at most 5 %') && isFine;
    }
  return check('false alarms, mean', percent(mean(shares)), mean(shares) <= 0.03, 'at most 3 %') && isFine;
}

function powerOf({ stats, random }, draws, world, runs, change, isSeen = isAlarm) {
  let seen = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const rates = drawRates(random, world, 100);
    const cases = drawCases(random, rates, change(rates), runs);
    if (isSeen(stats.compareRuns(cases), cases)) seen += 1;
  }
  return seen / draws;
}

/** (2) A drop must be seen. */
function checkPower(tools, curves) {
  const { check, random, chance } = tools;
  const draws = tools.draws / 5;
  const breaks = (count) => (rates) => setRates(rates, pickGood(random, rates, count), 0);
  const loses = (drop) => (rates) => spreadDrop(rates, drop);
  const lines = [
    ['a drop of 10 points', 'typical', [1, 1], loses(0.1), 0.68],
    ['a drop of 10 points', 'typical', [2, 2], loses(0.1), 0.93],
    ['5 of 100 cases break', 'typical', [3, 3], breaks(5), 0.78],
    ['5 of 100 cases break', 'typical', [30, 3], breaks(5), 0.97],
    ['5 of 100 cases break', 'deterministic', [1, 1], breaks(5), 1],
  ];
  let isFine = true;
  for (const [name, world, runs, change, least] of lines) {
    const seen = powerOf(tools, draws, world, runs, change);
    const full = ['seen', name, world, runs.join('→')].join(', ');
    const wanted = `at least ${percent(least, 0)}`;
    isFine = check(full, percent(seen), seen >= least - chance(least, draws), wanted) && isFine;
  }
  const paired = powerOf(tools, draws, 'typical', [1, 1], loses(0.1));
  const unpaired = powerOf(tools, draws, 'typical', [1, 1], loses(0.1), (_, cases) => {
    const [before, after] = [mean(cases.map(({ xa }) => xa)), mean(cases.map(({ xb }) => xb))];
    const pooled = (before + after) / 2;
    return (after - before) / Math.sqrt((2 * pooled * (1 - pooled)) / cases.length) < -1.959964;
  });
  const ratio = paired / unpaired;
  const wanted = 'at least 2.5 times';
  isFine = check('seen against a test without pairs, 1→1', ratio.toFixed(1), ratio >= 2.5, wanted) && isFine;
  for (const runs of [
    [1, 1],
    [2, 2],
    [3, 3],
    [10, 1],
    [30, 3],
  ])
    curves[runs.join('→')] = [0, 2, 4, 6, 8, 10, 12, 15, 20].map((points) => ({
      points,
      seen: powerOf(tools, Math.min(draws, 1000), 'typical', runs, loses(points / 100)),
    }));
  return isFine;
}

/** (3) The interval contains the truth, and a drop as large as the margin is not called harmless. */
function checkCoverage({ stats, draws: all, chance, check, random }) {
  const draws = all / 2;
  const cell = (world, [count, ...runs], change) => {
    let covered = 0;
    let harmless = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const before = drawRates(random, world, count);
      const after = change(before);
      const truth = mean(after) - mean(before);
      const { low, high } = stats.difference(drawCases(random, before, after, runs));
      if (low <= truth + 1e-9 && truth <= high + 1e-9) covered += 1;
      if (low > -0.05) harmless += 1;
    }
    return { covered: covered / draws, harmless: harmless / draws };
  };
  let isFine = true;
  let least = 1;
  let most = 0;
  for (const world of ['typical', 'good', 'flaky', 'nearly'])
    for (const design of DESIGNS) {
      least = Math.min(least, cell(world, design, (rates) => rates).covered);
      const { covered, harmless } = cell(world, design, (rates) => spreadDrop(rates, 0.05));
      least = Math.min(least, covered);
      most = Math.max(most, harmless);
    }
  const softened = (rates) => {
    const good = rates.flatMap((rate, at) => (rate === 1 ? [at] : [])).slice(0, 5);
    const bad = rates.flatMap((rate, at) => (rate === 0 ? [at] : [])).slice(0, 5);
    return setRates(rates, [...good, ...bad.slice(0, good.length)], 0.5);
  };
  const churn = Math.min(...DESIGNS.map((design) => cell('deterministic', design, softened).covered));
  const line = (name, value, isHeld, wanted) => {
    isFine = check(name, percent(value), isHeld, wanted) && isFine;
  };
  line(
    'interval contains the truth, worst cell',
    least,
    least >= 0.93 - chance(0.07, draws),
    'at least 93 %',
  );
  line('… with 5 cases softer, 5 harder', churn, churn >= 0.9 - chance(0.1, draws), 'at least 90 %');
  line(
    'a true −5 points is called not worse than 5',
    most,
    most <= 0.04 + chance(0.04, draws),
    'at most 4 %',
  );
  return isFine;
}

/** (4) Repetitions until decided: exact errors, mean runs over the cases of a world. */
function checkAuto({ stats, check, random }) {
  const { decide, max, low, high } = stats.autoRule();
  const wrong = Math.max(stats.walk(decide, max, low).pass, stats.walk(decide, max, high).fail);
  let isFine = check('--runs auto, wrong on either side', percent(wrong), wrong <= 0.05, 'at most 5 %');
  for (const [world, most] of [
    ['typical', 9],
    ['good', 10],
  ]) {
    const runs = mean(drawRates(random, world, 4000).map((rate) => stats.walk(decide, max, rate).runs));
    isFine =
      check(`--runs auto, mean runs, ${world}`, runs.toFixed(1), runs <= most, `at most ${most}`) && isFine;
  }
  return isFine;
}

/** (5) Rounds against a baseline of 10 runs, nothing changed. */
function checkRounds({ stats, draws: all, chance, check, random }) {
  const draws = all / 2;
  let rounds = 0;
  let worse = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const rates = drawRates(random, 'typical', 100);
    const cases = rates.map((rate) => ({ xa: random.binomial(10, rate), ra: 10, xb: 0, rb: 0 }));
    let done = 0;
    for (const look of stats.LOOKS.rounds) {
      for (const [at, one] of cases.entries()) one.xb += random.binomial(look - done, rates[at]);
      for (const one of cases) one.rb = look;
      done = look;
      const { verdict } = stats.lookAtRounds(cases);
      if (verdict === 'worse' || verdict === 'slightly_worse') worse += 1;
      if (verdict !== 'undecided') break;
    }
    rounds += done;
  }
  const share = worse / draws;
  const limit = 0.025 + 3 * Math.sqrt((0.025 * 0.975) / draws);
  const used = rounds / draws;
  const isShort = used <= 3.6 + chance(0.5, draws) * 3;
  return [
    check('rounds until decided, nothing changed', used.toFixed(1), isShort, 'at most 3.6'),
    check('rounds, false "worse"', percent(share), share <= limit, 'at most 2.5 % and chance'),
  ].every(Boolean);
}

/** One run of all cases, of which one broke, then three fresh runs of those that failed. */
function confirmOnce({ stats, random }, least) {
  const k = 3;
  const before = drawRates(random, 'typical', 100);
  const [broken] = pickGood(random, before, 1, least);
  const after = setRates(before, [broken], 0);
  const failed = [];
  for (const [at, { xa, ra, xb }] of drawCases(random, before, after, [30, 1]).entries()) {
    if (xb > 0) continue;
    const again = stats.worthConfirming({ xa, ra }, k) ? { xb: random.binomial(k, after[at]), rb: k } : {};
    failed.push({ at, xa, ra, ...again });
  }
  const names = stats.confirmedCases(failed, k).flatMap((p, place) => (p <= LEVEL ? [failed[place].at] : []));
  return { isFound: names.includes(broken), isWrong: names.some((at) => at !== broken) };
}

/** (6) A broken case is named; three runs can prove nothing of a case that failed often before. */
function checkConfirm(tools) {
  const { check, chance } = tools;
  const draws = tools.draws / 2;
  const share = (least, isSo) => {
    let count = 0;
    for (let draw = 0; draw < draws; draw += 1) if (isSo(confirmOnce(tools, least))) count += 1;
    return count / draws;
  };
  const named = share(0.9, ({ isFound }) => isFound);
  const any = share(0.5, ({ isFound }) => isFound);
  const wrong = share(0.9, ({ isWrong }) => isWrong);
  const isNamed = named >= 0.97 - chance(0.03, draws);
  return [
    check(
      'confirm: 1 of 100 breaks that passed 9 of 10 times, named',
      percent(named),
      isNamed,
      'at least 97 %',
    ),
    check(
      'confirm: 1 of 100 breaks that passed every other time or more, named',
      percent(any),
      true,
      'no limit',
    ),
    check(
      'confirm: a sound case named',
      percent(wrong),
      wrong <= 0.025 + chance(0.025, draws),
      'at most 2.5 %',
    ),
  ].every(Boolean);
}

/** (7) Of the cases called regressed, few are sound. */
function checkNames({ stats, draws: all, check, random }) {
  const draws = all / 5;
  let isFine = true;
  for (const runs of [
    [3, 3],
    [10, 10],
    [30, 3],
  ]) {
    let names = 0;
    let wrong = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const before = drawRates(random, 'typical', 100);
      const broken = pickGood(random, before, 5);
      const cases = drawCases(random, before, setRates(before, broken, 0), runs);
      const { regressed } = stats.compareRuns(cases);
      names += regressed.length;
      wrong += regressed.filter((at) => !broken.includes(at)).length;
    }
    const share = wrong / names;
    const name = `sound cases among those called regressed, 5 of 100 break, ${runs.join('→')}`;
    isFine = check(name, percent(share), share <= 0.1, 'at most 10 %') && isFine;
  }
  return isFine;
}

/** (8) The unit test has the inputs. */
function checkKnownValues(here, check) {
  const args = ['vitest', 'run', '--project', 'unit', 'src/stats/reference-values.test.ts'];
  try {
    execFileSync('npx', args, { cwd: join(here, '..'), stdio: 'pipe' });
    return check('known values to 6 digits', 'all', true, 'all');
  } catch (error) {
    return check('known values to 6 digits', `not all: ${String(error.stdout).slice(-500)}`, false, 'all');
  }
}

/** (9) The pass rate of a suite, for cases like these. */
function checkSuiteIntervals({ stats, draws: all, chance, check, random }) {
  const draws = all / 2;
  let anywhere = 1;
  let usual = 1;
  for (const world of ['typical', 'good', 'flaky', 'perfect'])
    for (const count of [20, 50, 100, 500])
      for (const runs of [1, 10]) {
        const truth = worldMean(world);
        let covered = 0;
        for (let draw = 0; draw < draws; draw += 1) {
          const values = drawRates(random, world, count).map((rate) => random.binomial(runs, rate) / runs);
          const { low, high } = stats.suiteInterval(values);
          if (low <= truth && truth <= high) covered += 1;
        }
        anywhere = Math.min(anywhere, covered / draws);
        if (count >= 50 && truth <= 0.95) usual = Math.min(usual, covered / draws);
      }
  const least = (share, limit) => share >= limit - chance(1 - limit, draws);
  return [
    check('pass rate of a suite, worst coverage', percent(anywhere), least(anywhere, 0.9), 'at least 90 %'),
    check('… 50 cases or more, rate up to 95 %', percent(usual), least(usual, 0.93), 'at least 93 %'),
  ].every(Boolean);
}

/** Replaces what is between the markers. */
function writeTable(path, rows, draws) {
  const table = [
    `| measured (${draws.toLocaleString('en')} draws a line for false alarms, a tenth to a half of it for others) | result | wanted |`,
    '| --- | --- | --- |',
    ...rows.map(({ name, value, wanted }) => `| ${name} | ${value} | ${wanted} |`),
  ].join('\n');
  const text = readFileSync(path, 'utf8');
  const between = /(<!-- bench:verdicts -->)[^]*?(<!-- \/bench:verdicts -->)/;
  writeFileSync(path, text.replace(between, `$1\n\n${table}\n\n$2`));
}
