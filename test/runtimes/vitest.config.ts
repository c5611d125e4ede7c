import { defineConfig } from 'vitest/config'

/** `npm test -- runtimes`: what was built, in a browser and in other runtimes than the one that tests run in. */
export default defineConfig({
  test: {
    include: ['test/runtimes/**/*.test.ts'],
    globalSetup: ['test/limit-of-a-run.ts', 'test/runtimes/install.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    reporters: ['default', './test/limit-of-a-file.ts', './test/closing-line.ts'],
  },
})
