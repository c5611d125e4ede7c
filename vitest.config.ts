import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** S05: neither the tests nor the processes that they start may make code from text. */
const NO_CODE_FROM_TEXT = '--disallow-code-generation-from-strings'

/** What services import by our name is the source that is tested. The longer names first: each is a prefix of the others. */
const ENTRANCES = {
  'svc-kit/runtime/node': 'src/runtime/node.ts',
  'svc-kit/runtime/patterns': 'src/runtime/patterns.ts',
  'svc-kit/runtime/sqlite': 'src/runtime/storage/sqlite/index.ts',
  'svc-kit/runtime': 'src/runtime/index.ts',
  'svc-kit/console': 'src/console/index.ts',
  'svc-kit/mcp': 'src/runtime/surfaces/mcp/index.ts',
  'svc-kit/ai-sdk': 'src/adapters/ai-sdk.ts',
  'svc-kit/openai-agents': 'src/adapters/openai-agents.ts',
  'svc-kit/langchain': 'src/adapters/langchain.ts',
  'svc-kit/testing': 'src/runtime/testing/index.ts',
  'svc-kit/client': 'src/client/index.ts',
}

/** Of the clients that people have, those of MCP that need nothing installed; `npm test -- surfaces` has the others. */
const OTHER_SURFACES =
  'test/surfaces/!(access-tokens|adapter-details|adapters|list-changes|mcp|over-http|parallel-calls|plain-call|profile|progress|states|stream|trace|waits).test.ts'

/** What has a command of its own. */
const ELSEWHERE = [
  '**/node_modules/**',
  'test/races/**',
  'test/runtimes/**',
  OTHER_SURFACES,
  'test/builds/judges.test.ts',
  'test/operate/**',
  'test/console/browser/**',
]

const TESTS = ['test/**/*.test.ts', 'examples/*/test/*.test.ts']

/**
 * Files of tests share a process, in which what they import is loaded once: a quarter less CPU in all. They leave it as they met it
 * (`test/nothing-left.ts`). What the next file would meet has a process of its own: a stand-in for a module, a screen, a package of
 * others that listens for signals, a child that ends with the service, or whose memory counts from that of this process, a server that nothing confines.
 */
const STANDS_IN = /\bvi\.(?:mock|doMock|resetModules)\(/u
const ALONE = [
  'test/console/**/*.test.ts',
  'test/adapters/**/*.test.ts',
  'test/surfaces/adapter*.test.ts',
  'test/runtime/upstream/unconfined.test.ts',
  'test/surfaces/parallel-calls.test.ts',
  'test/threats/upstream-mcp.test.ts',
  'test/threats/values.test.ts',
  ...readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name}`)
    .filter((file) => file.endsWith('.test.ts') && STANDS_IN.test(readFileSync(file, 'utf8'))),
]

export default defineConfig({
  resolve: {
    alias: Object.entries(ENTRANCES).map(([find, file]) => ({ find, replacement: resolve(import.meta.dirname, file) })),
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: TESTS,
          exclude: [...ELSEWHERE, ...ALONE],
          isolate: false,
          setupFiles: ['test/nothing-left.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: ELSEWHERE } },
    ],
    globalSetup: ['test/limit-of-a-run.ts'],
    setupFiles: ['test/limits-of-processes.ts'],
    exclude: ELSEWHERE,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Only what test/limits-of-processes.ts killed: every other failure fails at once.
    retry: { count: 1, condition: /never ended|ETIMEDOUT/u },
    // A busy machine answers late; what is waited for comes or does not.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    // What was compiled is kept by its content, for the next run.
    experimental: { fsModuleCache: true },
    execArgv: [NO_CODE_FROM_TEXT],
    // Waits of MCP are 20 times as quick (`test/surfaces/waits.test.ts`).
    env: { NODE_OPTIONS: NO_CODE_FROM_TEXT, SURFACES: 'one' },
    reporters: ['default', './test/limit-of-a-file.ts', './test/closing-line.ts'],
  },
})
