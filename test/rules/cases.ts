import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = 'test/rules'

/** The sections of the rules, as folders: `test/rules/capability` has the cases of `src/compiler/rules/capability`. */
export const SECTIONS: readonly string[] = readdirSync('src/compiler/rules', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'facts')
  .map(({ name }) => name)

/** The folder of each case: `test/rules/<section>/<name of the rule>`. */
export const CASES: readonly string[] = SECTIONS.filter((section) => existsSync(join(ROOT, section))).flatMap((section) =>
  readdirSync(join(ROOT, section)).map((slug) => `${ROOT}/${section}/${slug}`),
)

/** The folder of the case of a rule. */
export const caseOf = (slug: string): string | undefined => CASES.find((folder) => basename(folder) === slug)
