/** Numbers as Prometheus reads them: counters, gauges and histograms, in its text format 0.0.4. */
export interface Counter {
  add(labels: readonly string[], by?: number): void
}

export interface Histogram {
  observe(labels: readonly string[], value: number): void
}

export interface MetricFamilies {
  counter(name: string, help: string, labels: readonly string[]): Counter
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histogram
  /** All that was counted, and what is read at this moment. */
  text(gauges: readonly Gauge[]): string
}

export interface Gauge {
  readonly name: string
  readonly help: string
  readonly values: readonly (readonly [labels: { readonly [name: string]: string }, value: number])[]
}

/** A family takes no more label sets than this: what makes up labels must not fill the memory. */
const MOST_SERIES = 2_000

export function metricFamilies(): MetricFamilies {
  const families: (() => readonly string[])[] = []
  return {
    counter: (name, help, labels) => {
      const values = new Map<string, number>()
      families.push(() => [
        ...headOf(name, help, 'counter'),
        ...[...values].map(([key, value]) => sample(name, zipped(labels, key), value)),
      ])
      return {
        add: (given, by = 1) => {
          const key = keyOf(values, given)
          values.set(key, (values.get(key) ?? 0) + by)
        },
      }
    },
    histogram: (name, help, labels, buckets) => {
      const series = new Map<string, Observed>()
      families.push(() => [
        ...headOf(name, help, 'histogram'),
        ...[...series].flatMap(([key, observed]) => histogramLines(name, zipped(labels, key), buckets, observed)),
      ])
      return { observe: (given, value) => note(series, keyOf(series, given), buckets, value) }
    },
    text: (gauges) => [...families.flatMap((lines) => lines()), ...gauges.flatMap(gaugeLines), ''].join('\n'),
  }
}

interface Observed {
  readonly counts: number[]
  sum: number
  count: number
}

function note(series: Map<string, Observed>, key: string, buckets: readonly number[], value: number): void {
  const known = series.get(key) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 }
  if (known.count === 0) series.set(key, known)
  const at = buckets.findIndex((most) => value <= most)
  if (at !== -1) known.counts[at]! += 1
  known.sum += value
  known.count += 1
}

const SEPARATOR = '\0'

/** Label sets beyond the bound share one, whose labels say so. */
function keyOf(known: ReadonlyMap<string, unknown>, labels: readonly string[]): string {
  const key = labels.join(SEPARATOR)
  return known.size < MOST_SERIES || known.has(key) ? key : labels.map(() => 'other').join(SEPARATOR)
}

type Labels = { readonly [name: string]: string }

const zipped = (names: readonly string[], key: string): Labels => {
  const values = key.split(SEPARATOR)
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

const headOf = (name: string, help: string, type: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function histogramLines(name: string, labels: Labels, buckets: readonly number[], { counts, sum, count }: Observed) {
  let below = 0
  return [
    ...buckets.map((most, index) =>
      sample(`${name}_bucket`, { ...labels, le: String(most) }, (below += counts[index]!)),
    ),
    sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ]
}

const gaugeLines = ({ name, help, values }: Gauge): readonly string[] => [
  ...headOf(name, help, 'gauge'),
  ...values.map(([labels, value]) => sample(name, labels, value)),
]
