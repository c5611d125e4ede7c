/**
 * The parts of the tests that `npm test` alone leaves out: slow ones, and those that need a browser, root, servers or hours.
 * `npm test -- <tag> [arguments]` runs one; the folder of a tag says what it needs.
 */
const byConfig = (about, config) => ({ about, config })
const byFolders = (about, ...folders) => ({ about, folders })
const byScript = (about, ...script) => ({ about, script })

export const TAGS = {
  races: byConfig('races, crashes and kill -9 on both stores', 'test/races/vitest.config.ts'),
  runtimes: byConfig('Node 20, 22 and 24, Deno, Bun and a browser', 'test/runtimes/vitest.config.ts'),
  console: byConfig('the console and the site in a real Chromium', 'test/console/browser/vitest.config.ts'),
  surfaces: byConfig('the clients that agents have', 'test/surfaces/vitest.config.ts'),
  builds: byConfig(
    'random manifests: built, and judged and used by the tools of others (installs them)',
    'test/builds/vitest.config.ts',
  ),
  operate: byConfig('servers of Debian, clocks, standby databases (root)', 'test/operate/vitest.config.ts'),
  postgres: byConfig('attacks and the runtime on PostgreSQL', 'test/runtime/fixture/postgres.config.ts'),
  conformance: byScript(
    'the built travel example, right services and every sentence against the specification',
    'test/conformance/run.js',
  ),
  guides: byScript('every command block of every guide', '.ci/guides.js'),
  vectors: byScript('the test vectors, of this repository or another folder', 'test/vectors-suite/run.js', 'vectors'),
  hostile: byScript(
    'the hostile definitions, of this repository or another folder',
    'test/vectors-suite/run.js',
    'hostile',
  ),
  servers: byScript(
    'MCP servers of the registry, installed in a folder, imported and called',
    'test/imported-servers/run.js',
  ),
  mutation: byScript('mutation scores by area', 'test/mutation/run.js'),
  conditions: byScript('conditions of rules that no case shows', 'test/mutation/conditions.js'),
  faults: byFolders('faults made one by one in valid manifests', 'test/faults'),
  fuzz: byFolders('every parser of the outside, fuzzed', 'test/fuzz'),
  trust: byFolders(
    'signatures, the trail and its proofs',
    ...[
      'trust',
      'crypto',
      'vectors-suite',
      'package',
      'fuzz',
      'client/manifest.test.ts',
      'runtime/properties.test.ts',
    ].map((name) => `test/${name}`),
  ),
}
