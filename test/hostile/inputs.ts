const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
`
const capability = (name: string, more = ''): string => `  ${name}:
    description: Does ${name}.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
${more}`
const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')
const manifest = (capabilities: string): string => `${HEAD}capabilities:\n${capabilities}`
const K64 = 'x'.repeat(64 * 1024)

/** Inputs that were made to cost time or memory: name -> text. */
export const HOSTILE: { readonly [name: string]: () => string } = {
  '10,000 references to nothing': () =>
    manifest(capability('lookup', `    refresh_via:\n${times(10_000, (n) => `      - lookup_${n}\n`)}`)),
  'references from 2,000 capabilities to nothing': () =>
    manifest(times(2000, (n) => capability(`lookup_${n}`, `    refresh_via: [looked_${n}]\n`))),
  '10,000 duplicate keys': () => `${HEAD}capabilities:\n${times(10_000, () => '  a: 1\n')}`,
  '10,000 unknown keys': () => `${HEAD}${times(10_000, (n) => `capabilitis_${n}: 1\n`)}`,
  '10,000 capabilities that are none': () => manifest(times(10_000, (n) => `  c${n}: 1\n`)),
  '100,000 flow brackets': () => `a: ${'['.repeat(100_000)}`,
  'nesting of 100,000 blocks': () => times(1000, (n) => `${' '.repeat(n)}a:\n`),
  'nesting of 60 maps, 1,000 times': () => `x-a:\n${times(1000, () => `  - ${'{a: '.repeat(60)}1${'}'.repeat(60)}\n`)}`,
  '15 MB of maps in maps': () => `x-a:\n${times(50_000, () => `  - ${'{a: '.repeat(60)}1${'}'.repeat(60)}\n`)}`,
  '30 MB of small values': () => `x-a: [${'1,'.repeat(15_000_000)}]\n`,
  'a billion laughs': () => `a0: &a0 [x, x]\n${times(30, (n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}, *a${n}]\n`)}`,
  'quadratic aliases': () => `x-a: &a ['${K64}']\nx-b: [${times(10_000, () => '*a,')}]\n`,
  'a line of 1 MB': () => `${HEAD}capabilities: { a: { description: "${'x'.repeat(1024 * 1024)}" } }\n`,
  'a key of 64 kB': () => manifest(capability(K64)),
  'a name of 64 kB that is wrong in every place': () =>
    manifest(`${capability('lookup', `    refresh_via: [${K64}]\n    verify_via: [${K64}]\n`)}  ${K64}: 1\n`),
  '64 kB of dots': () => manifest(capability('lookup', `    compensation: ${'a.'.repeat(32 * 1024)}\n`)),
  '64 kB of spaces in quotes': () => `${HEAD}x-a: "${' '.repeat(64 * 1024)}"\n`,
  '1 MB of comments': () => `${HEAD}${times(20_000, () => '# svc-disable-next-line SVC6103 -- why not at all\n')}`,
  '1 MB of suppressions of everything': () => `${HEAD}# svc-disable-line ${times(100_000, (n) => `SVC${n},`)}\n`,
  '1 MB of opening quotes': () => times(10_000, (n) => `a${n}: "x\n`),
  '1 MB of tabs': () => `a:\n${'\t'.repeat(1024 * 1024)}b: 1\n`,
  '200,000 invisible characters': () => `a: ${'\u200B'.repeat(200_000)}\n`,
  '20,000 anchors that nobody uses': () => times(20_000, (n) => `x-${n}: &a${n} 1\n`),
  '20,000 aliases of nothing': () => `x-a: [${times(20_000, (n) => `*a${n}, `)}]\n`,
  'a circle of 2,000 prerequisites': () =>
    manifest(times(2000, (n) => capability(`c${n}`, `    requires: [{ capability: c${(n + 1) % 2000}, reason: x }]\n`))),
  '2,000 capabilities that differ in one letter each': () => manifest(times(2000, (n) => capability(`${'a'.repeat(200)}${n}`))),
  '20,000 documents': () => '---\na: 1\n'.repeat(20_000),
  'a text that looks like secrets': () => `${HEAD}x-a: "${`AKIA${'A'.repeat(15)} eyJ${'a'.repeat(20)}.eyJ`.repeat(5000)}"\n`,
  'a text that looks like hosts': () => `${manifest(capability('lookup').replace('Does', '1.'.repeat(30_000)))}x-a: x\n`,
  'numbers of 100,000 digits': () => `x-a: ${'9'.repeat(100_000)}\nx-b: ${'9'.repeat(100_000)}.5\n`,
} // prettier-ignore
