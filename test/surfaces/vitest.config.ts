import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.js'

/** `npm test -- surfaces`: the clients that people have, whose own packages make code from schemas. */
export default defineConfig({
  resolve: base.resolve!,
  test: {
    include: ['test/surfaces/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      ...(process.env['SURFACES'] === 'one'
        ? ['judges', 'conformance', 'other-clients', 'older-servers', 'configured'].map(
            (name) => `test/surfaces/${name}.test.ts`,
          )
        : []),
    ],
    globalSetup: ['test/limit-of-a-run.ts', 'test/surfaces/install.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', './test/limit-of-a-file.ts', './test/closing-line.ts'],
  },
})
