import { defineConfig } from 'vitest/config'
import base from '../../../vitest.config.js'

/** `npm test -- console`: the console in a real browser, with people who sign in at a real provider. */
export default defineConfig({
  resolve: base.resolve!,
  test: {
    include: ['test/console/browser/**/*.test.ts'],
    globalSetup: ['test/limit-of-a-run.ts', 'test/runtimes/install.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    reporters: ['default', './test/limit-of-a-file.ts', './test/closing-line.ts'],
  },
})
