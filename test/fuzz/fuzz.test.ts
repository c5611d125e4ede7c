/**
 * S09: every parser, fed with edits of sound and of earlier inputs. `SECONDS=3600 npm test -- fuzz -t jwt` runs one of them for an
 * hour of CPU; `KEEP=1` adds inputs with new answers to the corpus, from which later runs start.
 */
import { describe, expect, it } from 'vitest'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'
import { fuzz, type Effort } from './fuzzing.js'
import { importTargets } from './import-targets.js'
import { outsideTargets } from './outside-targets.js'
import { plainTargets } from './plain-targets.js'
import { signedTargets } from './signed-targets.js'

const { SECONDS, INPUTS = '300', SEED = '1', KEEP } = process.env
const effort: Effort = {
  ...(SECONDS !== undefined && { seconds: Number(SECONDS) }),
  inputs: Number(INPUTS),
  seed: Number(SEED),
  keeps: KEEP !== undefined,
}
const targets = Object.entries({
  ...plainTargets,
  ...importTargets,
  ...outsideTargets,
  ...signedTargets(manifestOf({ search: capability() })),
})

describe('S09', () => {
  it.each(targets)(
    'the parser %s answers whatever it is given',
    async (name, target) => {
      const { inputs, answers, slowest } = await fuzz(name, await target(), effort)
      if (SECONDS !== undefined)
        process.stderr.write(`${name}: ${inputs} inputs, ${answers} answers, slowest ${slowest} ms\n`)
      expect(answers).toBeGreaterThan(1)
    },
    86_400_000,
  )
})
