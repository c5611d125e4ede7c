import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import suite from '../../vitest.config.js'

type Areas = { readonly [area: string]: { readonly tests: string[] } }
const areas = JSON.parse(readFileSync('test/mutation/areas.json', 'utf8')) as Areas

/** The tests that the mutants of an area meet: quick ones, that need no database server, no build and no other process. */
export default defineConfig({
  ...(suite.resolve === undefined ? {} : { resolve: suite.resolve }),
  test: {
    include: areas[process.env['AREA'] ?? '']!.tests,
    globalSetup: ['test/limit-of-a-run.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    testTimeout: 60_000,
  },
})
