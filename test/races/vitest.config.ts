import { defineConfig } from 'vitest/config'

// A long run of one file takes hours.
process.env['TEST_FILE_LIMIT_MINUTES'] ??= '300'

/** `npm test -- races`; ROUNDS=1000 KILLS=1000 for a long run, KILLS=10 FAULTS=some for a short one, as in CI. */
export default defineConfig({
  test: {
    include: ['test/races/**/*.test.ts'],
    execArgv: ['--disallow-code-generation-from-strings'],
    env: { NODE_OPTIONS: '--disallow-code-generation-from-strings' },
    globalSetup: ['test/limit-of-a-run.ts', 'test/races/postgres.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    maxConcurrency: 2,
    reporters: ['default', './test/limit-of-a-file.ts', './test/closing-line.ts'],
  },
})
