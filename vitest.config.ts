import { defineConfig } from 'vitest/config'

/** S05: neither the tests nor the processes that they start may make code from text. */
const NO_CODE_FROM_TEXT = '--disallow-code-generation-from-strings'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/races/**', 'test/runtimes/**'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    execArgv: [NO_CODE_FROM_TEXT],
    env: { NODE_OPTIONS: NO_CODE_FROM_TEXT },
    reporters: ['default', './test/closing-line.ts'],
  },
})
