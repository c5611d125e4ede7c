import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Scenario, Stage } from './scenario.js'
import { approvals } from './scenarios/approvals.js'
import { authority } from './scenarios/authority.js'
import { inputs } from './scenarios/inputs.js'
import { money } from './scenarios/money.js'
import { trail } from './scenarios/trail.js'
import { SURFACES, type Surface } from './surfaces.js'
import { tableOf } from './table.js'
import { startWorld } from './world.js'

const SCENARIOS = { Authority: authority, 'Inputs and results': inputs, Money: money, Approvals: approvals, 'Trail and repetitions': trail } // prettier-ignore
const surfaces = Object.keys(SURFACES) as Surface[]
/** `SURFACES=one`: what a change must not break on any surface, in seconds. */
const FIRST = 'one decision, one effect: an approved call goes on after a restart'
const isPlayed = ({ name }: Scenario): boolean => process.env['SURFACES'] !== 'one' || name === FIRST

const PAGE = 'docs/reference/surfaces.md'

async function stageOn(surface: Surface): Promise<Stage> {
  const world = await startWorld()
  const another: Stage['another'] = (place = {}) =>
    SURFACES[surface]({ ...world.place, ...place }, world.fixture.service)
  return { ...world, agent: await another(), another }
}

describe.each(surfaces)('S20 over %s', (surface) => {
  const all: readonly Scenario[] = Object.values(SCENARIOS).flat()
  const played = all.filter((each) => each.notOn?.[surface] === undefined && isPlayed(each))
  it.each(played.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, { play }) =>
    play(await stageOn(surface)),
  )
})

it('S20 is published as a table, and has at least 40 scenarios', () => {
  const table = tableOf(SCENARIOS, surfaces)
  expect(Object.values(SCENARIOS).flat().length).toBeGreaterThanOrEqual(40)
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, table)
  expect(readFileSync(PAGE, 'utf8')).toBe(table)
})
