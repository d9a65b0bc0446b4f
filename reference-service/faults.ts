import type { Endpoint } from './specification'

export type AnswerFault =
  | { name: 'truncated' }
  | { name: 'status'; status: 401 | 403 | 429 }
  | { name: 'html'; status: 500 | 502 | 503 }
  | { name: 'delay'; ms: number }

/** Of an answer, or of the list that it holds. */
export type Fault = (AnswerFault | { name: 'empty-list' }) & { on?: Endpoint; times?: number }

export function createFaultSwitch(initial: readonly Fault[]) {
  let active = counted(initial)
  return {
    set(faults: readonly Fault[]) {
      active = counted(faults)
    },
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
