import { useEffect, useState } from 'preact/hooks'
import { now } from '../clock.js'

/** By how much the clock of the service is ahead of this one. */
let ahead = 0

export const setServiceClock = (serviceNow: number): void => void (ahead = serviceNow - now())

/** The time of the service, ms. */
export const serviceTime = (): number => now() + ahead

/** The same, new each second. */
export function useNow(): number {
  const [time, setTime] = useState(serviceTime())
  useEffect(() => {
    const timer = setInterval(() => setTime(serviceTime()), 1000)
    return () => clearInterval(timer)
  }, [])
  return time
}
