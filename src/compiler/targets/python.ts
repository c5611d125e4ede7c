import { pythonMethod, pythonPackage } from '../../protocol/python-names.js'
import type { CapabilityPlan, NamedType, Plan } from '../plan/plan.js'
import { printNamedType, printTypedDict, pythonString } from '../print/python.js'
import { newWriter, type Writer } from '../print/writer.js'
import type { Target } from './target.js'

/** `dist/python/`: a typed package for Python. Its fixed part is a file that is copied beside it. */
export const python: Target = (plan) => [
  {
    path: `dist/python/${pythonPackage(plan.serviceId)}/__init__.py`,
    ownership: 'generated',
    text: moduleText(plan),
  },
  { path: 'dist/python/pyproject.toml', ownership: 'generated', text: projectText(plan) },
]

const projectText = ({ serviceId, version }: Plan): string =>
  [
    '[build-system]',
    'requires = ["setuptools>=61"]',
    'build-backend = "setuptools.build_meta"',
    '',
    '[project]',
    `name = ${pythonString(pythonPackage(serviceId).replaceAll('_', '-'))}`,
    `version = ${pythonString(pythonVersion(version))}`,
    `description = ${pythonString(`The typed client of ${serviceId}.`)}`,
    'requires-python = ">=3.10"',
    'dependencies = []',
    '',
    '[tool.setuptools]',
    `packages = [${pythonString(pythonPackage(serviceId))}]`,
    `package-data = { ${pythonPackage(serviceId)} = ["py.typed"] }`,
    '',
  ].join('\n')

/**
 * A semantic version as PEP 440 spells it: 2.0.0-rc.1 is 2.0.0-rc.1; what Python has no word for is a local part of a
 * development release, as in 2.0.0.dev0+next.3.
 */
function pythonVersion(version: string): string {
  const [, number, pre, build] = /^([\d.]+)(?:-([^+]+))?(?:\+(.+))?$/u.exec(version)!
  const isKnown = pre === undefined || /^(?:alpha|a|beta|b|rc|c|pre|preview)(?:\.?\d+)?$/iu.test(pre)
  const local = [...(isKnown ? [] : [pre]), ...(build === undefined ? [] : [build])].map(localPart).join('.')
  const release = isKnown ? `${number}${pre === undefined ? '' : `-${pre}`}` : `${number}.dev0`
  return local === '' ? release : `${release}+${local}`
}

const localPart = (text: string): string => text.replaceAll(/[^a-zA-Z0-9]+/gu, '.').replaceAll(/^\.|\.$/gu, '')

const CORE = [
  'Budget',
  'CallOptions',
  'CallRefusal',
  'Client as _Client',
  'Credential',
  'Delegated',
  'OnPending',
  'Outcome',
  'Pending',
  'Progress',
  'Refusal',
  'Registration as _Registration',
  'Resolution',
  'Stream',
  'Success',
  'TransportError',
  'Wait',
]

const TYPING = [
  'TYPE_CHECKING',
  'Any',
  'Dict',
  'List',
  'Literal',
  'Optional',
  'TypeAlias',
  'TypedDict',
  'Union',
  'cast',
]

function moduleText(plan: Plan): string {
  const { writer, text } = newWriter()
  printExports(writer, plan)
  plan.sharedTypes.forEach((type) => printNamedType(writer, type))
  plan.capabilities.forEach((capability) => printTypes(writer, capability))
  printClient(writer, plan)
  return headText(plan, text()) + text()
}

/** Prints the imports above a module: only the names that it uses. */
function headText(plan: Plan, module: string): string {
  const { writer, text } = newWriter()
  const uses = (name: string) => new RegExp(`\\b${name}\\b`, 'u').test(module)
  for (const line of plan.headerFor()) writer.writeLine(`# ${line}`)
  writer.writeLine(
    pythonString(`The typed client of ${plan.serviceId}. Failures are values; only transport errors are raised.`),
  )
  writer.writeLine('')
  writer.writeLine('from __future__ import annotations')
  writer.writeLine('')
  const optional = uses('NotRequired')
  const typing = TYPING.filter((name) => uses(name) || (name === 'TYPE_CHECKING' && optional))
  writer.writeLine(`from typing import ${typing.join(', ')}`)
  writer.writeLine('')
  writer.writeLine(`from ._core import ${CORE.join(', ')}`)
  writer.writeLine('')
  if (optional) {
    writer.writeLine('if TYPE_CHECKING:')
    writer.indent(() => writer.writeLine('from typing_extensions import NotRequired'))
    writer.writeLine('')
  }
  return text()
}

const namedIn = ({ sharedTypes, capabilities }: Plan): readonly NamedType[] => [
  ...sharedTypes,
  ...capabilities.flatMap(({ types }) => types),
]

function printExports(writer: Writer, plan: Plan): void {
  const { capabilities } = plan
  const inside = namedIn(plan).map(({ name }) => name)
  const own = capabilities.flatMap(({ typeName }) => SUFFIXES.map((suffix) => `${typeName}${suffix}`))
  const core = CORE.filter((name) => !name.includes(' '))
  writer.writeLine('__all__ = [')
  writer.indent(() =>
    ['Client', ...core, ...inside, ...own].forEach((name) => writer.writeLine(`${pythonString(name)},`)),
  )
  writer.writeLine(']')
  writer.writeLine('')
  writer.writeLine('')
}

const SUFFIXES = ['Parameters', 'Output', 'Failure', 'Outcome'] as const

function printTypes(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, parameters, output, types: inside, refusals, callFailures } = capability
  inside.forEach((type) => printNamedType(writer, type))
  printTypedDict(writer, `${typeName}Parameters`, `What a caller of ${name} sends.`, parameters)
  printTypedDict(writer, `${typeName}Output`, `What ${name} gives back.`, output)
  const types = [...new Set([...refusals, ...callFailures.map(({ type }) => type)])].map(pythonString)
  writer.writeLine(`${typeName}Failure = Literal[${['CallRefusal', ...types].join(', ')}]`)
  writer.writeLine(`${typeName}Outcome = Outcome[${typeName}Output, ${typeName}Failure]`)
  writer.writeLine('')
  writer.writeLine('')
}

/** Prints the facts about a capability that the fixed part needs. */
function printRegistration(writer: Writer, { name, declaration, refusals }: CapabilityPlan): void {
  const changes = declaration.side_effect.type !== 'read' || refusals.includes('budget_exceeded')
  const facts = [`changes=${pythonBoolean(changes)}`, `approvable=${pythonBoolean(isApprovable(refusals))}`]
  const mode = declaration.response_modes.includes('unary') ? [] : ['unary=False']
  writer.writeLine(`${constantOf(name)} = _Registration(${[pythonString(name), ...facts, ...mode].join(', ')})`)
}

const constantOf = (capability: string): string => `_${pythonMethod(capability).toUpperCase()}`

const isApprovable = (refusals: readonly string[]): boolean => refusals.includes('approval_required')

function printClient(writer: Writer, { capabilities, serviceId }: Plan): void {
  capabilities.forEach((capability) => printRegistration(writer, capability))
  writer.writeLine('')
  writer.writeLine('')
  writer.writeLine('class Client(_Client):')
  writer.indent(() => {
    writer.writeLine(pythonString(`A client of ${serviceId}.`))
    writer.writeLine('')
    writer.writeLine(`_service = ${pythonString(serviceId)}`)
    capabilities.forEach((capability) => printMethods(writer, capability))
  })
}

function printMethods(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, parameters, about, refusals, context } = capability
  const [method, registration] = [pythonMethod(name), constantOf(name)]
  const mark = parameters.every(({ optional }) => optional) ? ' = {}' : ''
  const given = `self, parameters: ${typeName}Parameters${mark}, options: CallOptions = CallOptions()`
  const outcome = `${typeName}Outcome`
  const called = `cast(${outcome}, self._call(${registration}, parameters, options))`
  printMethod(writer, `${method}(${given}) -> ${outcome}`, about.join(' '), called)
  if (context.streams) {
    const stream = `Stream[${typeName}Output, ${typeName}Failure]`
    const made = `cast(${pythonString(stream)}, self._stream(${registration}, parameters, options))`
    printMethod(writer, `stream_${method}(${given}) -> ${stream}`, `Follows ${name}.`, made)
  }
  if (isApprovable(refusals)) {
    const signature = `resume_${method}(self, pending: Pending, wait: Wait = False, on_pending: Optional[OnPending] = None) -> ${outcome}`
    const made = `cast(${outcome}, self._resume(${registration}, pending, wait, on_pending))`
    const resumes = `Continues a call of ${name} if it was approved, also after a restart; wait=True waits for the decision first.`
    printMethod(writer, signature, resumes, made)
  }
}

function printMethod(writer: Writer, signature: string, about: string, returned: string): void {
  writer.writeLine('')
  writer.writeLine(`def ${signature}:`)
  writer.indent(() => {
    writer.writeLine(pythonString(about))
    writer.writeLine(`return ${returned}`)
  })
}

const pythonBoolean = (value: boolean): string => (value ? 'True' : 'False')
