import { readFileSync } from 'node:fs'

const area = process.env['AREA'] ?? ''
const areas = JSON.parse(readFileSync(new URL('areas.json', import.meta.url), 'utf8'))

/** One area: its files are changed, and its tests are run. Every mutator, and what is made once at start-up too. */
export default {
  plugins: ['./test/mutation/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: process.env['MUTATE']?.split(' ') ?? areas[area].mutate,
  ignorePatterns: ['.stryker-tmp', '/bench', '/docs', '/dist', '*.tgz'],
  tempDirName: `.stryker-tmp/${area}`,
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  // What is generated says `@ts-nocheck` itself where it should.
  disableTypeChecks: false,
  tsconfigFile: 'test/mutation/none.json',
  concurrency: 1,
  timeoutMS: 5000,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: `test/mutation/report-${area}.json` },
  allowConsoleColors: false,
}
