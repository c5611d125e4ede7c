import { wellFormedXml, type XmlElement } from './well-formed-xml.js'

/** An element of the schema that Jenkins has of JUnit reports (`junit-10.xsd` of its xunit plugin). */
interface Kind {
  readonly needs: readonly string[]
  readonly may: readonly string[]
  readonly children: readonly string[]
}

const OUTPUTS = ['system-out', 'system-err']
const WHAT_WENT_WRONG: Kind = { needs: [], may: ['type', 'message'], children: [] }
const OUTPUT: Kind = { needs: [], may: [], children: [] }

const KINDS: { readonly [element: string]: Kind } = {
  testsuites: { needs: [], may: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'], children: ['testsuite'] },
  testsuite: {
    needs: ['name', 'tests'],
    may: ['failures', 'errors', 'time', 'disabled', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    children: ['properties', 'testcase', ...OUTPUTS],
  },
  testcase: {
    needs: ['name', 'classname'],
    may: ['assertions', 'time', 'status', 'class', 'file', 'line'],
    children: ['skipped', 'error', 'failure', ...OUTPUTS],
  },
  failure: WHAT_WENT_WRONG,
  error: WHAT_WENT_WRONG,
  skipped: WHAT_WENT_WRONG,
  'system-out': OUTPUT,
  'system-err': OUTPUT,
}

const COUNTS = ['tests', 'failures', 'errors', 'skipped']

/** What the schema of JUnit reports does not allow in a text; and counts that do not add up. */
export function junitTrouble(text: string): readonly string[] {
  const root = wellFormedXml(text)
  return [...(root.name === 'testsuites' ? [] : [`The root is ${root.name}.`]), ...troubleOf(root), ...countTrouble(root)]
} // prettier-ignore

function troubleOf({ name, attributes, children }: XmlElement): readonly string[] {
  const kind = KINDS[name]
  if (kind === undefined) return [`There is no element ${name}.`]
  const given = Object.keys(attributes)
  return [
    ...kind.needs.filter((each) => !given.includes(each)).map((each) => `${name} lacks ${each}.`),
    ...given.filter((each) => !kind.needs.includes(each) && !kind.may.includes(each)).map((each) => `${name} has no ${each}.`),
    ...COUNTS.filter((each) => given.includes(each) && !/^\d+$/u.test(attributes[each]!)).map((each) => `${name}/@${each} is no number.`),
    ...children.filter((child) => !kind.children.includes(child.name)).map((child) => `${child.name} does not stand in ${name}.`),
    ...children.flatMap(troubleOf),
  ]
} // prettier-ignore

function countTrouble(root: XmlElement): readonly string[] {
  const casesOf = (suite: XmlElement) => suite.children.filter(({ name }) => name === 'testcase')
  const failed = (suite: XmlElement) =>
    casesOf(suite).filter(({ children }) => children.some(({ name }) => name === 'failure'))
  return [root, ...root.children].flatMap((suite) => {
    const suites = suite === root ? root.children : [suite]
    const counted = [suites.flatMap(casesOf).length, suites.flatMap(failed).length].join()
    return counted === `${suite.attributes['tests']},${suite.attributes['failures']}`
      ? []
      : [`${suite.name} counts wrong.`]
  })
}
