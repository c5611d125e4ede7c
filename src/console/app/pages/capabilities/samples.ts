/** The same call in other languages. No credential is in it: each reads its own from the environment. */
import { shellWord } from '../../../../protocol/shell.js'
import { clientPackageOf, identifierOf, methodNameOf } from '../../../../protocol/client-names.js'
import type { Json, JsonObject } from '../../../../protocol/manifest.js'
import { pythonMethod, pythonPackage } from '../../../../protocol/python-names.js'
import { STEERING } from '../../words/safe-text.js'

export interface SampleCall {
  /** Address of the service. */
  readonly url: string
  readonly serviceId: string
  readonly capability: string
  readonly parameters: JsonObject
  /** True if an approver may be asked: the sample then waits for the decision. */
  readonly asks: boolean
  /** It answers as a stream and in no other way. */
  readonly streams: boolean
}

export const LANGUAGES = { curl: 'curl', cli: 'CLI', typescript: 'TypeScript', python: 'Python' } as const
export type Language = keyof typeof LANGUAGES

/** Read by whoever runs the sample: not here. */
const ENVIRONMENT = ['process', 'env'].join('.')

export const sampleIn = (language: Language, call: SampleCall): string => SAMPLES[language](call)

const SAMPLES: { readonly [language in Language]: (call: SampleCall) => string } = {
  curl: ({ url, capability, parameters, asks, streams }) => {
    const body = { parameters, ...(asks && { approval: 'continue' }), ...(streams && { stream: true }) }
    return [
      `curl ${streams ? '-N ' : ''}${shellWord(`${url}/svc/invoke/${capability}`)} \\`,
      '  -H "Authorization: Bearer $SVC_TOKEN" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d ${shellWord(jsonText(body))}`,
    ].join('\n')
  },
  cli: ({ url, capability, parameters, asks }) => {
    const inputs = Object.entries(parameters).map(([name, value]) =>
      shellWord(isPlain(value) ? `${name}=${value}` : `${name}:=${jsonText(value)}`),
    )
    return [
      `svc call ${[capability, ...inputs].join(' ')}${asks ? ' --wait-approval' : ''} \\`,
      `  --url ${shellWord(url)}`,
    ].join('\n')
  },
  typescript: ({ url, serviceId, capability, parameters, asks, streams }) => {
    const method = methodNameOf(identifierOf(capability))
    const given = [jsonText(parameters), ...(asks ? ["{ approval: 'wait' }"] : [])].join(', ')
    const made = `client.${streams ? 'streaming.' : ''}${method}(${given})`
    return [
      `import { createClient } from '${clientPackageOf(serviceId)}'`,
      '',
      `const client = createClient({ baseUrl: '${url}', credential: ${ENVIRONMENT}.SVC_TOKEN ?? '' })`,
      ...(streams
        ? [`for await (const { payload } of ${made}) console.log(payload)`]
        : [`const outcome = await ${made}`, 'console.log(outcome.success ? outcome.result : outcome.failure)']),
    ].join('\n')
  },
  python: ({ url, serviceId, capability, parameters, asks, streams }) => {
    const method = `${streams ? 'stream_' : ''}${pythonMethod(capability)}`
    const given = [pythonText(parameters), ...(asks ? ['CallOptions(wait=60)'] : [])].join(', ')
    const made = `client.${method}(${given})`
    return [
      'import os',
      `from ${pythonPackage(serviceId)} import ${asks ? 'CallOptions, ' : ''}Client`,
      '',
      `client = Client("${url}", os.environ["SVC_TOKEN"])`,
      ...(streams ? [`for progress in ${made}:`, '    print(progress)'] : [`print(${made})`]),
    ].join('\n')
  },
}

const hex = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')

/** JSON in which everything can be seen: what would hide or steer is written as an escape. */
export const jsonText = (value: Json): string => JSON.stringify(value).replaceAll(STEERING, hex)

/** A text that is an argument as it stands: a shell and a terminal show all of it. */
const isPlain = (value: Json): value is string => typeof value === 'string' && value.search(STEERING) === -1

const pythonEscape = (character: string): string => {
  const code = character.codePointAt(0)!
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** The same value as Python writes it. */
export function pythonText(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value).replaceAll(STEERING, pythonEscape)
  if (Array.isArray(value)) return `[${value.map((each: Json) => pythonText(each)).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, each]) => `${pythonText(name)}: ${pythonText(each)}`)
    .join(', ')}}`
}
