import type { Endpoint } from '../http/endpoints'
import type { Fault } from './fault'

/** The faults that are switched on; each knows how many more requests it spoils. */
export function createFaultSwitch(initial: readonly Fault[]) {
  let active = counted(initial)
  return {
    set(faults: readonly Fault[]) {
      active = counted(faults)
    },
    /** The faults of the next request to this endpoint, which counts against their `times`. */
    take(endpoint: Endpoint): Fault[] {
      const hit = active.filter(({ fault, left }) => left > 0 && (fault.on === undefined || fault.on === endpoint))
      for (const entry of hit) entry.left--
      return hit.map(({ fault }) => fault)
    },
  }
}

function counted(faults: readonly Fault[]) {
  return faults.map((fault) => ({ fault, left: fault.times ?? Infinity }))
}
