import { cases, casesFor } from './case.js'
import { cannotTry } from './outcomes.js'
import { budgetCases } from './budgets.js'
import { equal, fails, holds, matches, succeeds } from './expect.js'
import {
  capabilityBeyondScope,
  capabilityThat,
  isAskedFor,
  isPlainRead,
  parametersOf,
  plainRead,
  taken,
  tokenFor,
  unaryRead,
  withoutGuess,
  type Named,
} from './samples.js'
import type { LooseJson, ServiceUnderTest } from './target.js'

const sampled = async (target: ServiceUnderTest, more: object = {}, root: object = {}) => {
  const [name, declared] = plainRead(target)
  const { token } = await target.root(root as never)
  return {
    name,
    declared,
    token,
    reply: await target.invoke(name, token, { parameters: parametersOf(declared), ...more }),
  }
}

const envelope = cases('4.6', {
  'success has success, invocation_id and result': async (target) => {
    const { reply, declared } = await sampled(target)
    succeeds(reply)
    if (reply.body['result_deviations'] !== undefined) cannotTry('the back end deviates from its description')
    equal(reply.body['success'], true, 'success')
    matches(reply.body['invocation_id'], /^inv-[0-9a-f]{12}$/u, 'invocation_id')
    equal(
      Object.keys(reply.body['result']!).sort(),
      [...(declared['output']!['fields'] as unknown as string[])].sort(),
      'members of result',
    )
  },
  'an answer is never cached, and its type is not guessed': async (target) => {
    const { reply } = await sampled(target)
    equal(
      [reply.headers.get('cache-control'), reply.headers.get('x-content-type-options')],
      ['no-store', 'nosniff'],
      'the headers',
    )
  },
  'client_reference_id is echoed': async (target) =>
    equal(
      (await sampled(target, { client_reference_id: 'ref-1' })).reply.body['client_reference_id'],
      'ref-1',
      'client_reference_id',
    ),
  'a client_reference_id of 256 code points is echoed, and one that is empty': async (target) => {
    for (const client_reference_id of ['🎈'.repeat(256), ''])
      equal(
        (await sampled(target, { client_reference_id })).reply.body['client_reference_id'],
        client_reference_id,
        'client_reference_id',
      )
  },
  'a refusal echoes the client_reference_id that it read': async (target) => {
    const { body } = await target.invoke('no_such_thing', (await target.root()).token, {
      parameters: {},
      client_reference_id: 'ref-2',
    })
    equal(body['client_reference_id'], 'ref-2', 'client_reference_id')
  },
  'hostile characters in client_reference_id are echoed only in JSON': async (target) => {
    const hostile = 'a\r\nX-Evil: 1\u2028"\u001b[31m'
    const { reply } = await sampled(target, { client_reference_id: hostile })
    equal([reply.body['client_reference_id'], reply.headers.get('x-evil')], [hostile, null], 'the echo')
  },
  'upstream_service is echoed': async (target) =>
    equal(
      (await sampled(target, { upstream_service: 'concierge' })).reply.body['upstream_service'],
      'concierge',
      'upstream_service',
    ),
  'parent_invocation_id is echoed, and its existence is not checked': async (target) =>
    equal(
      (await sampled(target, { parent_invocation_id: 'inv-0123456789ab' })).reply.body['parent_invocation_id'],
      'inv-0123456789ab',
      'parent_invocation_id',
    ),
  'the task of the token is echoed when omitted': async (target) =>
    equal(
      (await sampled(target, {}, { purpose_parameters: { task_id: 't-1' } })).reply.body['task_id'],
      't-1',
      'task_id',
    ),
  'the task of the token may be given': async (target) =>
    succeeds((await sampled(target, { task_id: 't-1' }, { purpose_parameters: { task_id: 't-1' } })).reply),
  'another task than that of the token is refused': async (target) =>
    fails(
      (await sampled(target, { task_id: 't-2' }, { purpose_parameters: { task_id: 't-1' } })).reply,
      'purpose_mismatch',
    ),
  'without a task in the token any task may be given': async (target) =>
    equal((await sampled(target, { task_id: 't-9' })).reply.body['task_id'], 't-9', 'task_id'),
  'absent lineage is not echoed': async (target) => {
    const { body } = (await sampled(target)).reply
    equal(
      ['client_reference_id', 'task_id', 'parent_invocation_id', 'upstream_service'].filter((name) => name in body),
      [],
      'members',
    )
  },
  'invocation ids do not repeat': async (target) => {
    const replies = await Promise.all([sampled(target), sampled(target), sampled(target)])
    equal(new Set(replies.map(({ reply }) => reply.body['invocation_id'])).size, 3, 'distinct ids')
  },
  'no budget was looked at where nothing costs money': async (target) => {
    const { reply } = await sampled(target, {}, { budget: { currency: 'EUR', max_amount: 0 } })
    equal(
      [reply.status, reply.body['budget_context'], reply.body['cost_actual']],
      [200, undefined, undefined],
      'the answer',
    )
  },
})

const BAD_REQUESTS = [
  ['without parameters', {}], ['with parameters as a list', { parameters: [] }], ['with parameters as text', { parameters: '{}' }],
  ['with null parameters', { parameters: null }], ['with an unknown member', { parameters: {}, surprise: 1 }],
  ['with an unknown parameter', { parameters: { no_such_input: 1 } }], ['with a long client_reference_id', { parameters: {}, client_reference_id: 'r'.repeat(257) }],
  ['with a long task_id', { parameters: {}, task_id: 't'.repeat(257) }], ['with a numeric task_id', { parameters: {}, task_id: 7 }],
  ['with a parent in capitals', { parameters: {}, parent_invocation_id: 'inv-0123456789AB' }], ['with a short parent', { parameters: {}, parent_invocation_id: 'inv-0123456789a' }],
  ['with a long parent', { parameters: {}, parent_invocation_id: 'inv-0123456789abc' }], ['with stream as text', { parameters: {}, stream: 'true' }],
] as const // prettier-ignore

const badRequests = casesFor('4.6', BAD_REQUESTS, ([what]) => `a request ${what} is refused`, async ([what, body], target) => {
  const [name] = plainRead(target)
  const reply = await target.invoke(name, (await target.root()).token, body)
  fails(reply, 'invalid_parameters')
  // What does not read is no invocation, and has no id.
  equal('invocation_id' in reply.body, what === 'with an unknown parameter', 'invocation_id')
}) // prettier-ignore

const BAD_TEXTS = [
  ['broken JSON', '{"parameters":'], ['a member twice', '{"parameters":{},"parameters":{}}'], ['a member twice inside', '{"parameters":{"a":1,"a":2}}'],
  ['a lone surrogate', '{"parameters":{"a":"\\ud800"}}'], ['nesting beyond bounds', `{"parameters":{"a":${'['.repeat(100)}${']'.repeat(100)}}}`],
  ['text after the value', '{"parameters":{}} x'], ['nothing', ' '], ['a NaN', '{"parameters":{"a":NaN}}'],
] as const // prettier-ignore

const badTexts = casesFor('4.6', BAD_TEXTS, ([what]) => `a body of ${what} is refused`, async ([, text], target) => {
  const [name] = plainRead(target)
  fails(await target.send(`/svc/invoke/${name}`, { method: 'POST', bearer: (await target.root()).token, text }), 'invalid_parameters')
}) // prettier-ignore

const NO_CAPABILITIES = [
  'no_such_thing',
  '__proto__',
  'constructor',
  'toString',
  'a%00',
  'b%2f..%2fa',
  'UPPER',
  '%F0%9F%92%A9',
  'x'.repeat(200),
  'trailing.',
  'a%20',
]
const unknown = casesFor('4.6', NO_CAPABILITIES, (name) => `the capability ${JSON.stringify(name.slice(0, 20))} is unknown`, async (name, target) =>
  fails(await target.invoke(name, (await target.root()).token), 'unknown_capability'),
) // prettier-ignore

const inputsOf = (capability: LooseJson): readonly LooseJson[] =>
  (capability['inputs'] ?? []) as unknown as readonly LooseJson[]

/** Behaviours that go on without the value of the caller (section 2.6). */
const GOES_ON: readonly unknown[] = ['use_default', 'use_actor_scope', 'omit']

/** Holds for an input that a call cannot leave out. */
const isMissed = ({ required, default: own, resolution }: LooseJson): boolean =>
  (required as unknown) !== false &&
  own === undefined &&
  !GOES_ON.includes(resolution?.['on_missing']) &&
  !String(resolution?.['mode']).startsWith('actor_policy')

/** Holds for an input that takes no value outside of its closed set. */
const isClosed = ({ allowed_values, resolution }: LooseJson): boolean =>
  allowed_values !== undefined && !GOES_ON.includes(resolution?.['on_unresolved'])

const inputs = cases('2.5-2.6', {
  'a missing required input is refused or asked for': async (target) => {
    const [name] = capabilityThat(target, 'reads with a required input', (each) => isPlainRead(each) && inputsOf(each).some(isMissed))
    const { body } = await target.invoke(name, (await target.root()).token)
    holds(['invalid_parameters', 'clarification_required'].includes(body['failure']?.['type'] as unknown as string), `it is ${String(body['failure']?.['type'])}`)
  },
  'an input of a wrong type is refused': async (target) => {
    const typed = (input: LooseJson) => input['type'] !== ('object' as never) && input['resolution'] === undefined
    const named = capabilityThat(target, 'reads without conditions, and takes an input of a type', (each) => isPlainRead(each) && inputsOf(each).some(typed))
    const input = inputsOf(named[1]).find(typed)!
    const parameters = { ...parametersOf(withoutGuess(named)), [String(input['name'])]: { wrong: true } }
    fails(await target.invoke(named[0], (await target.root()).token, { parameters }), 'invalid_parameters')
  },
  'a value outside of a closed set is refused or asked for': async (target) => {
    const [name, declared] = capabilityThat(target, 'reads without conditions, and has closed values', (each) => isPlainRead(each) && inputsOf(each).some(isClosed))
    const closed = inputsOf(declared).find(isClosed)!
    const parameters = { ...parametersOf(declared), [closed['name'] as string]: 'no such value' }
    const { body } = await target.invoke(name, (await target.root()).token, { parameters })
    holds(['invalid_parameters', 'clarification_required'].includes(body['failure']?.['type'] as unknown as string), `it is ${String(body['failure']?.['type'])}`)
  },
  'a clarification names the inputs that it needs': async (target) => {
    const inputs = (each: LooseJson) => each['inputs'] as unknown as readonly LooseJson[]
    const [name, declared] = capabilityThat(target, 'asks back', (each) => inputs(each).some((input) => isAskedFor(input, each)) && each['requires_binding'] === undefined)
    const asked = inputs(declared).filter((input) => isAskedFor(input, declared)).map((input) => input['name'] as unknown as string)
    const given = Object.fromEntries(Object.entries(parametersOf(withoutGuess([name, declared], asked))).filter(([input]) => !asked.includes(input)))
    const reply = await target.invoke(name, await tokenFor(target, [name, declared]), { parameters: given })
    if ((reply.body['failure']?.['type'] as unknown) === 'invalid_parameters') taken(reply, [name, declared])
    fails(reply, 'clarification_required')
    const questions = reply.body['failure']!['clarification']!['inputs'] as unknown as readonly { name: string; reason: string }[]
    equal(questions.map((each) => [each.name, each.reason]), asked.map((each) => [each, 'missing']), 'the questions')
  },
}) // prettier-ignore

/** A token that is bound to a capability, and has money where it costs some. */
const boundTo = (target: ServiceUnderTest, named: Named): Promise<string> =>
  tokenFor(target, named, { capability: named[0] })

const authority = cases('5.7', {
  'a token without the scope is refused': async (target) => {
    const scope = target.scopes.slice(0, 1)
    const [name] = capabilityBeyondScope(
      target,
      'needs another scope',
      (each) => !(each['minimum_scope'] as unknown as string[]).every((one) => scope.includes(one)),
    )
    fails(await target.invoke(name, (await target.root({ scope })).token), 'scope_insufficient')
  },
  'a token bound to another capability is refused': async (target) => {
    const [name, declared] = plainRead(target)
    const [other] = capabilityThat(target, 'differs from that', (each) => each !== declared)
    fails(await target.invoke(other, (await target.root({ capability: name })).token), 'purpose_mismatch')
  },
  'an unmet control requirement is refused': async (target) => {
    const [name] = capabilityThat(
      target,
      'has control requirements',
      (each) => each['control_requirements'] !== undefined,
    )
    fails(await target.invoke(name, (await target.root()).token), 'control_requirement_unsatisfied')
  },
  'a capability for the root principal refuses a delegate': async (target) => {
    const [name] = capabilityThat(target, 'requires a principal', (each) => each['requires_principal'] !== undefined)
    fails(await target.invoke(name, (await target.root({ subject: 'agent:x' })).token), 'non_delegable_action')
  },
  'a missing binding is named': async (target) => {
    const named = capabilityThat(target, 'requires a binding', (each) => each['requires_binding'] !== undefined)
    fails(await target.invoke(named[0], await boundTo(target, named)), 'binding_missing')
  },
  'a forged binding is stale': async (target) => {
    const named = capabilityThat(target, 'requires a binding', (each) => each['requires_binding'] !== undefined)
    const bindings = named[1]['requires_binding'] as unknown as readonly { field: string }[]
    const forged = Object.fromEntries(bindings.map(({ field }) => [field, 'bnd_forged']))
    const parameters = { ...parametersOf(withoutGuess(named, Object.keys(forged))), ...forged }
    const reply = await target.invoke(named[0], await boundTo(target, named), { parameters })
    fails(taken(reply, named), 'binding_stale')
  },
  'a stream of a capability that does not stream is refused': async (target) => {
    const [name, declared] = unaryRead(target)
    const { token } = await target.root()
    const request = { parameters: parametersOf(declared), stream: true }
    fails(await target.invoke(name, token, request), 'streaming_not_supported')
  },
})

export const invocationCases = [
  ...envelope,
  ...badRequests,
  ...badTexts,
  ...unknown,
  ...inputs,
  ...authority,
  ...budgetCases,
]
