import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.js'

/** `npm test -- builds`: random manifests, and what their packages and documents are to the tools of others, which make code from text. */
export default defineConfig({
  resolve: base.resolve!,
  test: {
    include: ['test/builds/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/limit-of-a-run.ts', 'test/builds/install.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    reporters: ['default', './test/limit-of-a-file.ts', './test/closing-line.ts'],
  },
})
