/** Hosts of this machine. */
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** Client that speaks over a pair of streams: a program of this machine. */
export const STDIO_CLIENT = 'stdio'

/** `::1` as limits name it: the network of a client, not its address. */
const LOOPBACK_NETWORK = ['::1', '0:0:0:0::/64']

/** Holds for an address of a loopback interface, as `http://localhost:4100`. */
export const isLoopback = (address: string): boolean =>
  URL.canParse(address) && LOOPBACK.test(new URL(address).hostname)

/** The same of a Host header. */
export const isLoopbackHost = (host: string): boolean => isLoopback(`http://${host}`)

/** The same of a client, as limits name it. */
export const isLoopbackClient = (client: string): boolean => LOOPBACK.test(client) || LOOPBACK_NETWORK.includes(client)
