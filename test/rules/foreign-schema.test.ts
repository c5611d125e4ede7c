/** A tool that knows nothing of svc, ajv-cli, judges manifests by the published file. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RULES } from '../../src/compiler/rules/index.js'
import { caseOf } from './cases.js'

/** The rules that the schema expresses itself, and as a whole. */
const EXPRESSED = RULES.filter(({ schema, whyNot }) => schema !== undefined && schema !== 'table' && whyNot === undefined)

/** What ajv-cli says of files: `<file> valid`, or `<file> invalid`. */
function verdicts(files: readonly string[]): ReadonlyMap<string, string> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const program = [join(import.meta.dirname, '../../node_modules/ajv-cli/dist/index.js'), 'validate', '--strict=false']
  const given = ['-s', 'schemas/manifest.schema.json', ...files.flatMap((file) => ['-d', file])]
  const { stdout, stderr } = spawnSync(process.execPath, [...program, ...given], { encoding: 'utf8', env })
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => / ((?:in)?valid)$/u.exec(line))
  return new Map(lines.flatMap((match) => (match === null ? [] : [[match.input.slice(0, match.index), match[1]!] as const])))
}

const manifestsOf = (name: string): readonly string[] => EXPRESSED.map(({ slug }) => join(caseOf(slug)!, name))

it('ajv-cli refuses what breaks a rule that the schema expresses, and takes the rest', () => {
  const [bad, good] = [manifestsOf('svc.yaml'), manifestsOf('good.yaml')]
  const found = verdicts([...bad, ...good])
  expect(bad.length).toBeGreaterThan(30)
  expect(bad.filter((file) => found.get(file) !== 'invalid')).toEqual([])
  expect(good.filter((file) => found.get(file) !== 'valid')).toEqual([])
})
