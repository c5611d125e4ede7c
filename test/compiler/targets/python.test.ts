import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { emit } from '../../../src/compiler/emit.js'
import { pythonMethod, pythonPackage } from '../../../src/protocol/python-names.js'
import type { Capability, Manifest } from '../../../src/protocol/manifest.js'
import { capability, manifestOf } from '../../runtime/fixture/manifest.js'

const fileOf = (manifest: Manifest, path: string): string =>
  emit(manifest, { generator: 'svc' }).files.find((file) => file.path === path)?.text ?? ''

const travel = (): Manifest =>
  check([{ file: 'svc.yaml', text: readFileSync('examples/travel/svc.yaml', 'utf8') }]).manifest!

const inputs = (members: readonly object[]): Capability =>
  capability({ inputs: members.map((each) => ({ name: 'x', type: 'string', required: true, ...each })) })

it('writes the package of an example', async () => {
  const module = fileOf(travel(), 'dist/python/travel_client/__init__.py')
  await expect(module.slice(module.indexOf('"The typed client'))).toMatchFileSnapshot('shapes/python-travel.txt')
  expect(fileOf(travel(), 'dist/python/pyproject.toml')).toBe(`[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "travel-client"
version = "0.0.0"
description = "The typed client of travel."
requires-python = ">=3.10"
dependencies = []

[tool.setuptools]
packages = ["travel_client"]
package-data = { travel_client = ["py.typed"] }
`)
})

it.each([
  ['1.4.0', '1.4.0'],
  ['2.0.0-rc.1', '2.0.0-rc.1'],
  ['2.0.0-next.3', '2.0.0.dev0+next.3'],
  ['1.4.0+build-7', '1.4.0+build.7'],
  ['2.0.0-x--y+b', '2.0.0.dev0+x.y.b'],
])('spells the version %s of a service as Python does: %s', (version, spelt) => {
  const { files } = emit(travel(), { generator: 'svc', version })
  expect(files.find(({ path }) => path === 'dist/python/pyproject.toml')?.text).toContain(`\nversion = "${spelt}"\n`)
})

it('writes closed values, optional ones and words that Python has taken', () => {
  const search = inputs([
    { name: 'from' },
    { name: 'count', type: 'integer', required: false, allowed_values: [1, 2] },
    { name: 'share', type: 'number', allowed_values: [0.5] },
  ])
  expect(fileOf(manifestOf({ search }), 'dist/python/flights_client/__init__.py')).toContain(
    'SearchParameters = TypedDict("SearchParameters", {\n  "from": "str",\n  "count": "NotRequired[Literal[1, 2]]",\n  "share": "float",\n})\n',
  )
})

it('says of each capability whether a repetition needs a key, whether it can wait for a person, and whether it only streams', () => {
  const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } } as const
  const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 9, max_uses: 1 } as const // prettier-ignore
  const text = fileOf(
    manifestOf({
      look: capability(),
      price: capability({ cost }),
      pay: capability({ side_effect: { type: 'write', rollback_window: 'PT1H' } }),
      ask: capability({ approval: { required: 'always', grant_policy } }),
      follow: capability({ response_modes: ['streaming'] }),
    }),
    'dist/python/flights_client/__init__.py',
  )
  expect(text.match(/^_\w+ = _Registration\(.*\)$/gmu)).toEqual([
    '_ASK = _Registration("ask", changes=False, approvable=True)',
    '_FOLLOW = _Registration("follow", changes=False, approvable=False, unary=False)',
    '_LOOK = _Registration("look", changes=False, approvable=False)',
    '_PAY = _Registration("pay", changes=True, approvable=False)',
    '_PRICE = _Registration("price", changes=True, approvable=False)',
  ])
})

it('lets no text of a manifest become code', () => {
  const description = 'Ends """ and \\" here.\\nimport os'
  const text = fileOf(manifestOf({ search: capability({ description }) }), 'dist/python/flights_client/__init__.py')
  expect(text).toContain(JSON.stringify(description).slice(1, -1))
  expect(text).not.toMatch(/^import os/mu)
})

it.each([
  ['pay.charge_card', 'pay_charge_card'],
  ['import', 'import_'],
  ['audit', 'audit_'],
])('%s is the method %s', (name, method) => expect(pythonMethod(name)).toBe(method))

it.each([
  ['travel', 'travel_client'],
  ['a.b-c', 'a_b_c_client'],
  ['4seats', 'svc_4seats_client'],
])('%s has the package %s', (id, name) => expect(pythonPackage(id)).toBe(name))
