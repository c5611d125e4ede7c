import { defineConfig } from 'vitest/config'

/** `npm test -- operate`: what needs servers of Debian, which are fetched as packages and not installed. */
export default defineConfig({
  test: {
    include: ['test/operate/**/*.test.ts'],
    globalSetup: ['test/operate/postgres.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    reporters: ['default', './test/closing-line.ts'],
  },
})
