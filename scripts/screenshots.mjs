// node scripts/screenshots.mjs
// Recreates the pictures of the documentation from the examples. Build first.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';

const CLI = resolve('dist/cli.js');
const IMAGES = resolve('docs/images');
const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'));
const cwd = join(folder, 'shop');
cpSync('examples', cwd, { recursive: true });
rmSync(join(cwd, '.assay'), { recursive: true, force: true });

for (let round = 0; round < 4; round += 1) {
  assay(['suite', 'nightly']);
  assay(['run', 'greeting', '--runs', String(2 + round)]);
  assay(['suite', 'models', ...(round % 2 === 0 ? ['--var', 'AIConfiguration=local.polite'] : [])]);
}
assay(['suite', 'models', '-o', 'report.html']);

const executablePath = process.env.ASSAY_TEST_CHROMIUM ?? (await chromiumPackage.executablePath());
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const report = pathToFileURL(join(cwd, 'report.html')).href;
await shoot(report, 'report', { width: 1000, height: 640 });
await shoot(`${report}#/case/5`, 'report-case', { width: 1000, height: 820 });
await shoot(report, 'report-phone', { width: 390, height: 700 });

const view = spawn(process.execPath, [CLI, 'view', '--port', '0', '--json'], { cwd });
const { url } = JSON.parse(String(await new Promise((done) => view.stdout.once('data', done))));
await shoot(url, 'viewer', { width: 1000, height: 760 });
await shoot(`${url.replace(/#.*/, '')}#/start?test=greeting`, 'viewer-start', { width: 1000, height: 560 });
await shoot(url, 'viewer-phone', { width: 390, height: 700 });
view.kill('SIGINT');
await browser.close();
rmSync(folder, { recursive: true });

function assay(args) {
  try {
    execFileSync(process.execPath, [CLI, ...args], { cwd, stdio: 'ignore' });
  } catch {
    // Some of the examples fail on purpose.
  }
}

async function shoot(address, name, viewport) {
  const page = await browser.newPage({ viewport, locale: 'en-US', timezoneId: 'UTC', colorScheme: 'light' });
  // The first address contains the token.
  if (address.startsWith('http')) await page.goto(url);
  await page.goto(address);
  await page.waitForSelector('h1');
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  await page.close();
}
