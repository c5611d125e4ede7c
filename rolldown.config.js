import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'rolldown'
import { billOfMaterials } from './.ci/bill-of-materials.js'
import { packageFacts } from './.ci/package-facts.js'
import { consolePage } from './.ci/console-page.js'

const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const installed = Object.keys({ ...dependencies, ...peerDependencies })
const except = (...names) =>
  installed.filter((name) => !names.includes(name)).map((name) => new RegExp(`^${name}(/|$)`))

const plugins = [billOfMaterials()]
/** V8 reads a text of ASCII faster. */
const minify = { codegen: { removeWhitespace: true, asciiOnly: true } }
const output = { minify, comments: { legal: false }, cleanDir: true }

/** The module of jsonc-parser for CommonJS requires parts by names that no bundler sees. */
const READABLE = { alias: { 'jsonc-parser': resolve('node_modules/jsonc-parser/lib/esm/main.js') } }

/** Few files start a command, because opening one takes longer than reading 20 kB of it: what every command needs is one, what reads a manifest is one, and what judges it is one. */
const GROUPS = [
  { name: 'start', tags: ['$initial'] },
  groupOf('read', [
    'cli/validate/read-manifest',
    'cli/validate/manifest-files',
    'compiler/shape/fields/manifest',
    'compiler/report/code-frame',
  ]),
  groupOf('validate', ['cli/validate/run']),
]

/** One file of what these modules import, save what an earlier group has. */
function groupOf(name, entries) {
  const ids = entries.map((entry) => resolve(`dist/${entry}.js`))
  return {
    name: (id, modules) => (ids.some((each) => importedBy(each, modules).has(id)) ? name : null),
    debugName: name,
  }
}

/** A module and what it imports, save what it imports when it is needed. */
function importedBy(id, modules, seen = new Set()) {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const each of modules.getModuleInfo(id)?.importedIds ?? []) importedBy(each, modules, seen)
  return seen
}

/** Why the command line and the compiler are bundled, and how: docs/decisions/bundled-command-line.md */
export default defineConfig([
  {
    platform: 'node',
    // jose holds ES modules; Node 20 warns of an experiment when CommonJS requires them.
    external: [/^node:/, ...except('jose')],
    plugins,
    // Some parts that commands import when they are needed are in a file that starts them, too.
    checks: { ineffectiveDynamicImport: false },
    resolve: READABLE,
    input: { main: 'dist/cli/main.js' },
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...output,
      dir: 'dist/bundle/cli',
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false },
    },
  },
  {
    platform: 'node',
    external: [/^node:/, 'pg-native'],
    // One file: parts that are imported when they are needed are in it, too.
    checks: { ineffectiveDynamicImport: false },
    plugins: [...plugins, packageFacts()],
    resolve: READABLE,
    input: { operate: 'dist/cli/operator-file.js' },
    output: {
      ...output,
      codeSplitting: false,
      dir: 'dist/bundle/operate',
      format: 'esm',
      entryFileNames: '[name].mjs',
    },
  },
  {
    platform: 'node',
    external: [/^node:/, ...except()],
    plugins,
    input: { index: 'dist/compiler/index.js' },
    output: { ...output, dir: 'dist/bundle/compiler', format: 'esm', chunkFileNames: '[name]-[hash].js' },
  },
  {
    platform: 'node',
    plugins,
    input: { index: 'dist/compiler/judge/compiled.js' },
    output: { ...output, dir: 'dist/bundle/judge', format: 'cjs', entryFileNames: '[name].cjs' },
  },
  {
    platform: 'browser',
    plugins: [...plugins, consolePage()],
    input: { app: 'src/console/app/main.ts' },
    output: {
      ...output,
      minify: true,
      dir: 'dist/console/assets',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  },
])
