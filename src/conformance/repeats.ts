import { grantBy, pending } from './asked.js'
import { cases } from './case.js'
import { cannotTry } from './outcomes.js'
import { equal, fails, succeeds } from './expect.js'
import { isChecked } from './budgets.js'
import {
  asksNobody,
  capabilityThat,
  isPlainRead,
  parametersOf,
  plainRead,
  preparedParameters,
  taken,
  tokenFor,
} from './samples.js'

const newKey = () => ({ 'idempotency-key': `k-${crypto.randomUUID()}` })

/** Cases about what an idempotency key keeps (section 4.6). */
export const repeatCases = cases('4.6', {
  'an idempotency key gives the first answer again': async (target) => {
    const [name, declared] = plainRead(target)
    const { token } = await target.root()
    const key = newKey()
    const first = await target.invoke(name, token, { parameters: parametersOf(declared) }, key)
    const second = await target.invoke(name, token, { parameters: parametersOf(declared) }, key)
    equal(second.text, first.text, 'the second answer')
    equal(second.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed')
  },
  'an idempotency key that is too long is refused': async (target) => {
    const [name] = plainRead(target)
    fails(
      await target.invoke(name, (await target.root()).token, undefined, { 'idempotency-key': 'k'.repeat(256) }),
      'invalid_parameters',
    )
  },
  'a refusal that nothing can change is kept under its key': async (target) => {
    const [name] = capabilityThat(target, 'reads, and asks no resolver and no policy', (each) => isPlainRead(each) && asksNobody(each))
    const { token } = await target.root()
    const key = newKey()
    const wrong = { parameters: { no_such_input: 1 } }
    fails(await target.invoke(name, token, wrong, key), 'invalid_parameters')
    const again = await target.invoke(name, token, wrong, key)
    equal(again.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed')
  },
  'a refusal that a greater budget changes is not kept under its key': async (target) => {
    const named = capabilityThat(target, 'costs money, and asks nobody', (each) => isChecked(each) && each['approval'] === undefined)
    const currency = String(named[1]['cost']!['financial']!['currency'])
    const token = await tokenFor(target, named, { budget: { currency, max_amount: 0 } })
    const key = newKey()
    const parameters = await preparedParameters(target, token, named)
    for (const time of ['first', 'second']) {
      const reply = await target.invoke(named[0], token, { parameters }, key)
      if (taken(reply, named).status === 200) cannotTry(`${named[0]} costs nothing for sample inputs`)
      fails(reply, 'budget_exceeded')
      equal(reply.headers.get('idempotency-replayed'), null, `Idempotency-Replayed of the ${time} answer`)
    }
  },
  'a call that waits for an approval goes on under its key, and its answer is kept under it': async (target) => {
    const key = newKey()
    const asked = await pending(target, { body: { approval: 'continue' }, headers: key })
    const { reply, name, token, parameters } = asked
    fails(reply, 'approval_required')
    succeeds(await grantBy(target, asked))
    const body = { parameters, approval: 'continue' }
    const done = await target.invoke(name, token, body, key)
    succeeds(done)
    const again = await target.invoke(name, token, body, key)
    equal([again.text, again.headers.get('idempotency-replayed')], [done.text, 'true'], 'the answer to a repeat')
  },
}) // prettier-ignore
