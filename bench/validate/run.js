/** svc validate against bare Node, a parser with a precompiled schema, ajv-cli and Spectral, on the same documents. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { compare } from '../processes.js'
import { manifestOf } from './manifests.js'

const here = import.meta.dirname
const root = resolve(here, '../..')
const schemaFile = join(root, 'schemas/manifest.schema.json')
const require = createRequire(join(root, 'package.json'))
const folder = mkdtempSync(join(here, '.made-'))

writeFileSync(join(folder, 'validator.cjs'), precompiled())
writeFileSync(join(folder, 'js-yaml.mjs'), program('js-yaml', 'load'))
writeFileSync(join(folder, 'yaml.mjs'), program('yaml', 'parse'))
writeFileSync(
  join(folder, 'ruleset.json'),
  JSON.stringify({
    rules: {
      manifest: {
        given: '$',
        severity: 'error',
        then: { function: 'schema', functionOptions: { schema: JSON.parse(readFileSync(schemaFile, 'utf8')) } },
      },
    },
  }),
)

for (const [count, rounds] of [
  [1, 15],
  [100, 9],
  [1000, 5],
  [10_000, 3],
]) {
  const file = join(folder, `${count}.yaml`)
  writeFileSync(file, manifestOf(count))
  console.log(`\n${count} ${count === 1 ? 'capability' : 'capabilities'}: CPU of whole processes`)
  console.table(compare(commandsFor(file, count), { rounds: Number(process.env.ROUNDS ?? rounds) }))
}
rmSync(folder, { recursive: true })

function commandsFor(file, count) {
  const commands = {
    'node -e 0': ['node', '-e', '0'],
    'svc validate (all rules)': ['node', join(root, 'bin/svc.cjs'), 'validate', file],
    'js-yaml + precompiled ajv': ['node', join(folder, 'js-yaml.mjs'), file],
    'ajv-cli': [
      'node',
      join(here, 'node_modules/ajv-cli/dist/index.js'),
      'validate',
      '--strict=false',
      '-s',
      schemaFile,
      '-d',
      file,
    ],
    'Spectral, one schema rule': [
      'node',
      join(here, 'node_modules/@stoplight/spectral-cli/dist/index.js'),
      'lint',
      file,
      '--ruleset',
      join(folder, 'ruleset.json'),
    ],
  }
  if (count <= 1000) commands['yaml + precompiled ajv'] = ['node', join(folder, 'yaml.mjs'), file]
  return Object.fromEntries(Object.entries(commands).filter(([, [, script]]) => script === '-e' || existsSync(script)))
}

function precompiled() {
  const ajv = new Ajv({ code: { source: true, esm: false }, strict: false })
  return standaloneCode.default(ajv, ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8'))))
}

function program(name, parse) {
  return `import { readFileSync } from 'node:fs'
import { ${parse} } from ${JSON.stringify(require.resolve(name).replace(/js-yaml\.cjs\.js$/u, 'js-yaml.mjs'))}
import validate from './validator.cjs'
const ok = validate(${parse}(readFileSync(process.argv[2], 'utf8')))
if (!ok) console.error(validate.errors)
process.exitCode = ok ? 0 : 1
`
}
