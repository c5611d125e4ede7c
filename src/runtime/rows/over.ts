/** Returns a store with some verbs of its own; every other verb asks the store beneath, as it is at each call. */
export function over<Store extends object>(store: Store, verbs: Partial<Store>): Store {
  const passed = Object.entries(store).map(([name, verb]: [string, unknown]) => [
    name,
    typeof verb === 'function' ? (...given: unknown[]) => (store[name as keyof Store] as typeof verb)(...given) : verb,
  ])
  return { ...(Object.fromEntries(passed) as Store), ...verbs }
}
