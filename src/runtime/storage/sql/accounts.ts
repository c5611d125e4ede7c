/** Names that accounts at identity providers were known by (section 5.6). */
import type { Account } from '../../../protocol/credential.js'
import { isAnyOf } from '../../../protocol/fold.js'
import type { Principal } from '../../../protocol/principals.js'
import type { AccountStore } from '../contract.js'
import { textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const REMEMBER = `
  insert into accounts (issuer, subject, principal, mac) values (?, ?, ?, ?) on conflict do nothing returning principal`

/** From each name to its accounts, from these to their other names, and on. */
const namesSql = (marks: string): string => `
  with recursive names (principal) as (
    select principal from accounts where principal in (${marks})
    union
    select other.principal from names
    join accounts own on own.principal = names.principal
    join accounts other on other.issuer = own.issuer and other.subject = own.subject
  ) select principal from names`

export const accountStore = (engine: Engine): AccountStore => ({
  remember: (account, principal, mac) => engine.writeSingly(() => remember(account, principal, mac)),
  namesOf: (principals) => engine.read(() => namesOf(principals)),
  everyNameOf: (principals) => engine.read(() => everyNameOf(principals)),
})

function* remember(account: Account, principal: Principal, mac?: string): StoragePlan<WriteOutcome<boolean>> {
  const { issuer, subject } = account
  return keep((yield* row(REMEMBER, issuer, subject, principal, mac ?? null)) !== undefined)
}

const KNOWN = 'select distinct principal from accounts where principal >= ?'

/** Every name of those whose names are like the given ones, however they are written, and of their accounts. */
export function* everyNameOf(principals: readonly Principal[]): StoragePlan<readonly Principal[]> {
  const known = (yield* rows(KNOWN, '')).map((stored) => textColumn(stored, 'principal') as Principal)
  return yield* namesOf([...principals, ...known.filter((name) => isAnyOf([name], principals))])
}

export function* namesOf(principals: readonly Principal[]): StoragePlan<readonly Principal[]> {
  const list = padded(principals)
  const found = yield* rows(namesSql(list.marks), ...list.values)
  return [...new Set([...principals, ...found.map((stored) => textColumn(stored, 'principal') as Principal)])]
}
