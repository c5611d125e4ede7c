/** Prompts, resources and completions that an author gives to `mcp()`, beside the tools of the manifest. */
import type { Server, ServerCapabilities } from '@modelcontextprotocol/server'
import { StartUpError } from '../../errors/start-up-error.js'
import type { Service } from '../../service.js'
import { completed } from './completion.js'
import type { McpConnection } from './connection.js'
import type { McpOptions, McpPrompt, McpResource } from './options.js'
import { listedPrompts, promptOf } from './prompts.js'
import { listedResources, listedTemplates, readContents } from './resources.js'
import { afterChanges, subscribe, unsubscribe } from './subscriptions.js'
import { problemOfAddress, variablesOf } from './uri-template.js'

const isGiven = (offers: object | undefined): boolean => offers !== undefined && Object.keys(offers).length > 0

export const offeredCapabilities = ({ prompts, resources }: McpOptions, canSubscribe: boolean): ServerCapabilities => ({
  ...(isGiven(prompts) && { prompts: {} }),
  ...(isGiven(resources) && { resources: canSubscribe ? { subscribe: true } : {} }),
  ...((isGiven(prompts) || isGiven(resources)) && { completions: {} }),
})

type Answered = <Result>(answer: Promise<Result>) => Promise<Result>

/** Answers what is asked of prompts and resources; a client of a service without them is told that there are none. */
export function serveOffers(
  server: Server,
  connection: McpConnection,
  canSubscribe: boolean,
  answered: Answered,
): void {
  const { prompts, resources } = connection.options
  if (isGiven(prompts)) {
    server.setRequestHandler('prompts/list', () =>
      answered(listedPrompts(connection).then((listed) => ({ prompts: listed }))),
    )
    server.setRequestHandler('prompts/get', ({ params }, ctx) => answered(promptOf(connection, params, ctx)))
  }
  if (isGiven(resources)) {
    server.setRequestHandler('resources/list', () =>
      answered(listedResources(connection).then((listed) => ({ resources: listed }))),
    )
    server.setRequestHandler('resources/templates/list', () =>
      answered(listedTemplates(connection).then((resourceTemplates) => ({ resourceTemplates }))),
    )
    server.setRequestHandler('resources/read', ({ params }, ctx) =>
      answered(
        afterChanges(
          connection,
          ctx,
          readContents(connection, params.uri, ctx).then((contents) => ({ contents: [contents] })),
        ),
      ),
    )
  }
  if (canSubscribe) {
    server.setRequestHandler('resources/subscribe', ({ params }) => answered(subscribe(connection, params.uri)))
    server.setRequestHandler('resources/unsubscribe', ({ params }) => answered(unsubscribe(connection, params.uri)))
  }
  if (isGiven(prompts) || isGiven(resources))
    server.setRequestHandler('completion/complete', ({ params }) => answered(completed(connection, params)))
}

/** Refuses to start with a prompt or a resource that could never be used, or that would have effects. */
export function assertOffers(service: Service, { prompts = {}, resources = {} }: McpOptions): void {
  const problems = [
    ...Object.entries(prompts).flatMap(([name, prompt]) => promptProblems(service, name, prompt)),
    ...Object.entries(resources).flatMap(([address, resource]) => resourceProblems(service, address, resource)),
  ]
  if (problems.length > 0) throw new StartUpError(`The options of mcp() cannot be used:\n- ${problems.join('\n- ')}`)
}

const unknownCapability = ({ capabilities }: Service, name: string): readonly string[] =>
  capabilities.has(name) ? [] : [`there is no capability ${JSON.stringify(name)}.`]

function promptProblems(service: Service, name: string, prompt: McpPrompt): readonly string[] {
  const { messages, description, capabilities = [], arguments: taken = {} } = prompt
  const texts = [
    ...(messages.length === 0 ? ['it has no messages.'] : []),
    ...(description.trim() === '' ? ['its description is empty.'] : []),
    ...Object.keys(taken).flatMap((each) =>
      /^\w{1,64}$/u.test(each) ? [] : [`its argument ${JSON.stringify(each)} must be a word of at most 64 characters.`],
    ),
    ...capabilities.flatMap((each) => unknownCapability(service, each)),
  ]
  return texts.map((text) => `The prompt ${JSON.stringify(name)}: ${text}`)
}

function resourceProblems(service: Service, address: string, resource: McpResource): readonly string[] {
  const told = (text: string): string => `The resource ${JSON.stringify(address)}: ${text}`
  const problem = problemOfAddress(address)
  if (problem !== undefined) return [told(problem)]
  const { capability: name, text, blob, changedBy = [] } = resource
  const capability = service.capabilities.get(name)
  if (capability === undefined) return unknownCapability(service, name).map(told)
  const inputs = capability.inputs.map((input) => input.name)
  const variables = variablesOf(address)
  return [
    ...(capability.side_effect.type === 'read' ? [] : [`${name} has effects; only a read capability is taken.`]),
    ...variables.filter((each) => !inputs.includes(each)).map((each) => `${name} has no input ${each}.`),
    ...(text === undefined || blob === undefined ? [] : ['Give text or blob, not both.']),
    ...changedBy.flatMap((each) =>
      service.capabilities.get(each)?.side_effect.type === 'read'
        ? [`${each} in changedBy has no effects.`]
        : unknownCapability(service, each),
    ),
  ].map(told)
}
