import { defineConfig } from 'vitest/config'

/** The tests that mutants meet: those that need no database server, no build and no other process. */
export default defineConfig({
  test: {
    include: [
      'test/crypto/{merkle,jwt}.test.ts',
      'test/vectors-suite/*.test.ts',
      'test/trust/{mutations,audit-export,checkpoints,published}.test.ts',
      'test/runtime/*.test.ts',
      'test/threats/{approvals,invoke,tokens,verification,trail-and-documents}.test.ts',
      'test/compiler/print/*.test.ts',
      'test/compiler/targets/*.test.ts',
    ],
    testTimeout: 60_000,
  },
})
