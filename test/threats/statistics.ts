/** What a timing attacker computes. Samples are taken in turns, so that whatever disturbs one kind disturbs the others, too. */

/** ms that each kind of try took, `tries` times each, in turns and in an order that changes from turn to turn. */
export async function timesInTurns<Kind extends string>(
  kinds: { readonly [kind in Kind]: () => Promise<unknown> },
  tries: number,
): Promise<{ readonly [kind in Kind]: readonly number[] }> {
  const names = Object.keys(kinds) as Kind[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as { [kind in Kind]: number[] }
  for (let turn = 0; turn < tries; turn++)
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + turn) % names.length]!
      const started = performance.now()
      await kinds[name]()
      times[name].push(performance.now() - started)
    }
  return times
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

/** How far apart the medians are, as a part of the largest. */
export function spreadOfMedians(samples: readonly (readonly number[])[]): number {
  const medians = samples.map(median)
  return (Math.max(...medians) - Math.min(...medians)) / Math.max(...medians)
}

/** The two-sided p of the Mann-Whitney U test (normal approximation, ranks of ties shared). */
export function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, first: true })), ...other.map((value) => ({ value, first: false }))]
  all.sort((left, right) => left.value - right.value)
  let [ranks, ties] = [0, 0]
  for (let start = 0; start < all.length;) {
    let end = start
    while (end < all.length && all[end]!.value === all[start]!.value) end++
    const shared = (start + 1 + end) / 2
    for (let at = start; at < end; at++) if (all[at]!.first) ranks += shared
    ties += (end - start) ** 3 - (end - start)
    start = end
  }
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const variance = ((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
  return 2 * (1 - normal(Math.abs(u - (n * m) / 2) / Math.sqrt(variance)))
}

/** The cumulative normal distribution (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce((sum, c) => (sum + c) * t, 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}

/** Measures until it holds, a few times at most: a machine that does other things makes noise, and no attacker is slowed by one run. */
export async function holdsOnce(rounds: number, measure: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < rounds; round++) if (await measure()) return true
  return false
}
