/** svc validate against bare Node, a parser with a precompiled schema, ajv-cli and Spectral, on the same documents. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compare } from '../processes.js'
import { parserLine, schemaFile } from './js-yaml-line.js'
import { manifestOf } from './manifests.js'

const here = import.meta.dirname
const root = resolve(here, '../..')
const folder = mkdtempSync(join(here, '.made-'))

const jsYaml = parserLine(folder, 'js-yaml', 'load')
const yaml = parserLine(folder, 'yaml', 'parse')
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
    'js-yaml + precompiled ajv': [...jsYaml, file],
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
  if (count <= 1000) commands['yaml + precompiled ajv'] = [...yaml, file]
  return Object.fromEntries(Object.entries(commands).filter(([, [, script]]) => script === '-e' || existsSync(script)))
}
