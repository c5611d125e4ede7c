import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { defineConfig } from 'rolldown'
import { billOfMaterials } from './.ci/bill-of-materials.js'

const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const external = [
  /^node:/,
  ...Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`)),
]

/** V8 reads code of ASCII in half the time. What is escaped stands in strings and regular expressions only. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = escaped(chunk.code)
  },
}

const escaped = (code) =>
  code.replaceAll(/[^\0-\u007F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The parts of js-yaml that read events; the others build tags, schemas and patterns when they are imported. */
const YAML_WORDS = ['common/snippet', 'common/exception', 'parser/events']
/** What our scanner cannot read: most runs need none of it, so its tables are made at the first call. */
const YAML_PARSER = ['parser/parser_scalar', 'parser/parser']

const yamlEventsOnly = {
  name: 'yaml-events-only',
  transform: {
    filter: { id: /\/js-yaml\/dist\/js-yaml\.mjs$/ },
    handler(code) {
      const parts = new Map(
        [...code.matchAll(/^\/\/#region src\/(\S+)\.ts\n([^]*?)^\/\/#endregion$/gm)].map(([, name, part]) => [
          name,
          part,
        ]),
      )
      const missing = [...YAML_WORDS, ...YAML_PARSER].filter((name) => !parts.has(name))
      if (missing.length > 0) throw new Error(`js-yaml has no part ${missing.join(', ')} any more; look at its source.`)
      const text = (names) => names.map((name) => parts.get(name)).join('')
      return `${text(YAML_WORDS)}
        let made
        const parser = () => (made ??= make())
        function make() { ${text(YAML_PARSER)}; return { getScalarValue, parseEvents } }
        const getScalarValue = (text, scalar) => parser().getScalarValue(text, scalar)
        const parseEvents = (text, options) => parser().parseEvents(text, options)
        export { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents }`
    },
  },
}

const common = { platform: 'node', external }
const output = { minify: true, comments: { legal: false } }

/** Parts that the quick bundles below leave out, and load from the whole one when they are needed. */
const PARTS = [
  'cli/bundle',
  'cli/config/own-targets',
  'cli/glob',
  'cli/validate/fix-files',
  'cli/validate/watch',
  'compiler/check',
  'compiler/config/read-config',
  'compiler/read-code',
  'compiler/report/github',
  'compiler/report/gitlab',
  'compiler/report/junit',
  'compiler/report/sarif',
  'compiler/report/text',
  'runtime/storage/make-folder',
]

/** The command line and the compiler are bundled, so that they start fast and install nothing that only they need. */
const whole = defineConfig({
  ...common,
  transform: { define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' } },
  input: Object.fromEntries(['cli/main', 'compiler/index', ...PARTS].map((name) => [name, `dist/${name}.js`])),
  plugins: [yamlEventsOnly, asciiOnly, billOfMaterials()],
  output: {
    ...output,
    dir: 'dist/bundle',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
})

/** Code that V8 compiled before cannot import by itself: `load` of bin/svc.cjs does it, and takes paths from its own place. */
const partsOfTheWhole = {
  name: 'parts-of-the-whole',
  resolveDynamicImport(specifier, importer) {
    if (typeof specifier !== 'string' || !specifier.startsWith('.')) return undefined
    const part = relative(resolve('dist'), resolve(dirname(importer), specifier)).replaceAll('\\', '/')
    if (!PARTS.includes(part.replace(/\.js$/, ''))) return undefined
    return { id: `../dist/bundle/${part}`, external: true }
  },
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      chunk.code = chunk.code.replaceAll('import(`../dist/bundle/', 'load(`../dist/bundle/')
  },
}

/** The code is stored as the function that `quick` of bin/svc.cjs calls: wrapping it there would copy it at each start. */
const asFunction = {
  name: 'as-function',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      chunk.code = `(function (exports, require, load, __filename, __dirname) {${chunk.code}\n})`
  },
}

/** What is run most is bundled once more, each into one CommonJS file: see docs/decisions/starting-fast.md. */
const quick = (name) =>
  defineConfig({
    ...common,
    input: `dist/cli/quick/${name}.js`,
    plugins: [partsOfTheWhole, yamlEventsOnly, asciiOnly, asFunction],
    output: { ...output, file: `dist/quick/${name}.cjs`, format: 'cjs', codeSplitting: false },
  })

export default [whole, quick('validate'), quick('done'), quick('build')]
