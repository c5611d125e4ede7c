/** By which names an account is known: separation of duties rests on it (threat N01). */
import { expect, it } from 'vitest'
import type { Account } from '../../src/protocol/credential.js'
import type { Principal } from '../../src/protocol/principals.js'
import { knownAccounts } from '../../src/runtime/credentials/known-accounts.js'

const ANA: Account = { issuer: 'https://idp.example', subject: '7' }

function noting(failing = 0) {
  const stored: (readonly [Account, Principal])[] = []
  let left = failing
  const remember = async (account: Account, principal: Principal) => {
    if (left-- > 0) throw new Error('The store is away.')
    stored.push([account, principal])
    return true
  }
  const time = { now: 0 }
  const deleted: number[] = []
  const store = {
    remember,
    namesOf: async <Names>(names: Names) => names,
    everyNameOf: async <Names>(names: Names) => names,
  }
  const accounts = knownAccounts(store, () => time.now, () => deleted.push(time.now)) // prettier-ignore
  return { stored, accounts, time, deleted }
}

it('a name is stored once', async () => {
  const { stored, accounts } = noting()
  await accounts.note(ANA, 'human:ana')
  await accounts.note({ ...ANA }, 'human:ana')
  expect(stored).toEqual([[ANA, 'human:ana']])
})

it('a name that could not be stored is stored the next time', async () => {
  const { stored, accounts } = noting(1)
  await expect(accounts.note(ANA, 'human:ana')).rejects.toThrow('The store is away.')
  await accounts.note(ANA, 'human:ana')
  expect(stored).toEqual([[ANA, 'human:ana']])
})

it('a name is stored again after 10 s, and a row that was deleted meanwhile is reported', async () => {
  const { stored, accounts, time, deleted } = noting()
  await accounts.note(ANA, 'human:ana')
  time.now = 9_999
  await accounts.note(ANA, 'human:ana')
  expect([stored.length, deleted]).toEqual([1, []])
  time.now = 10_000
  await accounts.note(ANA, 'human:ana')
  expect([stored.length, deleted]).toEqual([2, [10_000]])
})

it('every name of an account is stored, and every account of a name', async () => {
  const { stored, accounts } = noting()
  const other = { ...ANA, issuer: 'https://guests.example' }
  const third = { ...ANA, subject: '8' }
  await accounts.note(ANA, 'human:ana')
  await accounts.note(ANA, 'oidc:7')
  await accounts.note(other, 'human:ana')
  await accounts.note(third, 'human:ana')
  expect(stored).toEqual([[ANA, 'human:ana'], [ANA, 'oidc:7'], [other, 'human:ana'], [third, 'human:ana']]) // prettier-ignore
})

it('a subject and a name that run into each other are two', async () => {
  const { stored, accounts } = noting()
  await accounts.note({ issuer: 'a', subject: 'b,c' }, 'human:x')
  await accounts.note({ issuer: 'a,b', subject: 'c' }, 'human:x')
  expect(stored).toHaveLength(2)
})
