import { dirname, join, relative, resolve } from 'node:path'
import { reportTo, type Finding } from '../../compiler/finding.js'
import { nearest, question } from '../../compiler/nearest.js'
import { readDocument } from '../../compiler/parse/read-document.js'
import { placeSources } from '../../compiler/parse/sources.js'
import { valueAt, type YamlNode } from '../../compiler/parse/tree.js'
import { jsonOf } from '../../compiler/shape/normalise.js'
import { durationMs } from '../../protocol/durations.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { isPrincipal } from '../../protocol/principals.js'
import { CliError } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'
import { DECISIONS, type TestCase, type CaseFile, type Expectation } from './case.js'

/** The cases of a file; what is wrong with them is told with its line. */
export function readCases(file: string): CaseFile {
  const placed = placeSources([{ file, text: readFromDisk(file) }])
  const findings: Finding[] = []
  const root = readDocument(placed.files[0]!, reportTo(findings))
  const line = (node: YamlNode | undefined): number => (node === undefined ? 1 : placed.place(node).range.start.line)
  const [first] = findings
  if (first?.code === 'SVC0105' && root === undefined) throw new CliError(`${file} is empty; write \`tests\` in it.`)
  if (first !== undefined) throw new CliError(`${file}:${placed.place(first.span).range.start.line}: ${first.message}`)
  if (root?.kind !== 'map') throw new CliError(`${file} must hold a mapping with \`tests\`.`)
  const { manifest = 'svc.yaml', now, handlers, tests, ...others } = jsonOf(root) as JsonObject
  const list = valueAt(root, 'tests')
  const wrong = (why: string): never => {
    throw new CliError(`${file}:${line(list ?? root)}: ${why}`)
  }
  for (const name of Object.keys(others))
    wrong(`there is no member ${JSON.stringify(name)}; there are manifest, now, handlers and tests.`)
  if (typeof manifest !== 'string') return wrong('`manifest` must be a path.')
  if (now !== undefined && (typeof now !== 'string' || !isTimeEverywhere(now)))
    return wrong('`now` must be a time with its zone, such as 2030-01-01T00:00:00Z.')
  if (handlers !== undefined && typeof handlers !== 'string')
    return wrong('`handlers` must be a path, such as ../src/handlers/index.ts.')
  if (handlers !== undefined && leavesHere(join(dirname(file), handlers)))
    return wrong(
      `\`handlers\` must be a file below ${printable(process.cwd())}, where svc test runs: it is run as code.`,
    )
  if (list?.kind !== 'list' || !Array.isArray(tests)) return wrong('`tests` must be a list of cases.')
  const cases = list.items.map((item, index) => caseIn(tests[index] as Json, `${file}:${line(item)}`))
  return {
    file,
    manifest: join(dirname(file), manifest),
    now,
    handlers: handlers === undefined ? undefined : join(dirname(file), handlers),
    cases,
  }
}

/** Holds for a path outside of the folder in which the command runs. */
const leavesHere = (path: string): boolean => /^\.\.(?:[/\\]|$)/u.test(relative(process.cwd(), resolve(path)))

/** Checks whether a text is the same time on each machine; a text without a zone is local time. */
const isTimeEverywhere = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/u.test(text) && !Number.isNaN(Date.parse(text))

/** Member of a case: how its value is checked and described. */
interface Member {
  readonly holds: (value: Json) => boolean
  /** Completes "it takes". */
  readonly takes: string
}
type Shape = { readonly [member: string]: Member }

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const takes = (what: string, holds: (value: Json) => boolean): Member => ({ takes: what, holds })
const oneOf = (words: readonly string[]): Member =>
  takes(`one of ${words.join(', ')}`, (value) => words.includes(value as string))
const textOf = (what: string): Member => takes(what, (value) => typeof value === 'string' && value !== '')
const mappingOf = (what: string): Member => takes(what, isObject)

const list = takes('a list', Array.isArray)
const number = takes('a number', (value) => typeof value === 'number')
const flag = takes('true or false', (value) => typeof value === 'boolean')
const duration = takes(
  'an ISO 8601 duration, such as PT15M',
  (value) => typeof value === 'string' && durationMs(value) !== undefined,
)
const principal = takes(
  'a principal, such as human:ana@example.com',
  (value) => typeof value === 'string' && isPrincipal(value),
)
const money = mappingOf('a mapping such as { currency: EUR, amount: 10 }')

const TOKEN: Shape = {
  scope: list,
  capability: textOf('the name of a capability'),
  subject: principal,
  purpose_parameters: mappingOf('a mapping'),
  budget: mappingOf('a mapping such as { currency: EUR, max_amount: 100 }'),
  caller_class: textOf('a text'),
  concurrent_branches: textOf('a text'),
  ttl_hours: number,
  session_id: textOf('a text'),
  max_delegation_depth: number,
} // prettier-ignore

const EXPECT: Shape = {
  decision: oneOf(DECISIONS),
  failure: textOf('the type of a failure, such as budget_exceeded'),
  detail: textOf('a part of what the failure says'),
  cost: takes('a mapping of amount and currency', (value) => isObject(value) && Object.keys(value).every((name) => name === 'amount' || name === 'currency')),
  permission: oneOf(['available', 'restricted', 'denied']),
  result: mappingOf('a mapping of members'),
} // prettier-ignore

const BINDING: Shape = { type: textOf('a text'), price: money, data: mappingOf('a mapping'), age: duration }

const CASE: Shape = {
  name: textOf('a text'),
  as: principal,
  token: mappingOf('a mapping'),
  delegate: list,
  call: textOf('the name of a capability'),
  parameters: mappingOf('a mapping of inputs'),
  bindings: mappingOf('a mapping of inputs and bindings'),
  resolved: mappingOf('a mapping of inputs'),
  actor: mappingOf('a mapping of inputs'),
  given: takes('a mapping of capabilities, each to a result', (value) => isObject(value) && Object.values(value).every(isObject)),
  after: duration,
  approve: flag,
  expect: mappingOf('a mapping'),
} // prettier-ignore

/** The members of an object, each as its shape has it. */
function members(value: Json | undefined, shape: Shape, what: string, place: string): JsonObject {
  if (value === undefined || !isObject(value)) throw new CliError(`${place}: ${what} must be a mapping.`)
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(shape, name))
      throw new CliError(
        `${place}: ${what} has no member ${JSON.stringify(name)}; there are ${Object.keys(shape).join(', ')}.` +
          question(nearest(name, Object.keys(shape))),
      )
    if (!shape[name]!.holds(member))
      throw new CliError(
        `${place}: \`${name}\` of ${what} cannot be ${JSON.stringify(member)}; it takes ${shape[name]!.takes}.`,
      )
  }
  return value
}

const DEVELOPER = 'human:developer@localhost'

function caseIn(value: Json, place: string): TestCase {
  const given = members(value, CASE, 'a case', place)
  for (const name of ['name', 'call', 'expect'])
    if (given[name] === undefined) throw new CliError(`${place}: a case needs \`${name}\`.`)
  const expect = members(given['expect'], EXPECT, '`expect`', place)
  if (Object.keys(expect).length === 0) throw new CliError(`${place}: \`expect\` says nothing.`)
  const bindings = (given['bindings'] ?? {}) as JsonObject
  for (const each of Object.values(bindings)) members(each, BINDING, 'a binding', place)
  const delegate = ((given['delegate'] ?? []) as readonly Json[]).map((each) =>
    members(each, TOKEN, 'a delegation', place),
  )
  return {
    as: DEVELOPER,
    parameters: {},
    resolved: {},
    actor: {},
    given: {},
    after: undefined,
    approve: false,
    ...given,
    token: members(given['token'] ?? {}, TOKEN, '`token`', place),
    delegate,
    bindings,
    expect: expect as Expectation,
    place,
  } as unknown as TestCase
}
