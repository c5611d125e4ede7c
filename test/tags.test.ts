/** The tags of the test command: what each names is there, and no part of the tests has a script of its own. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TAGS } from './tags.js'

const rows = Object.entries(TAGS)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object }

describe('tags of npm test', () => {
  it.each(rows)('%s names files that exist', (_, { config = [], folders = [], script = [] }) => {
    const missing = [config, folders, script.slice(0, 1)].flat().filter((file) => !existsSync(file))
    expect(missing).toEqual([])
  })

  it('package.json has at most 18 scripts, none for a part of the tests', () => {
    const names = Object.keys(scripts)
    expect(names.length).toBeLessThanOrEqual(18)
    expect(names.filter((name) => name.startsWith('test:'))).toEqual([])
  })
})
