import type { Endpoint } from './specification'

export type Fault = (ListFault | AnswerFault) & { on?: Endpoint; times?: number }

const plainListFaults = ['orphan-lead', 'wrong-types', 'missing-fields', 'duplicate-ids', 'empty-list'] as const

/** Of a list, and of the answer that holds it. */
export type ListFault = { name: (typeof plainListFaults)[number] } | { name: 'shrinking-list'; keep: number }

export type AnswerFault =
  | { name: 'hang' | 'reset' | 'truncated' | 'invalid-json' | 'endless' }
  | { name: 'status'; status: 401 | 403 | 429; retryAfterSeconds?: number }
  | { name: 'html'; status: 500 | 502 | 503 }
  | { name: 'delay' | 'drip'; ms: number }
  | { name: 'redirect'; to: string }

export function isListFault(fault: Fault): fault is ListFault & { on?: Endpoint; times?: number } {
  return fault.name === 'shrinking-list' || plainListFaults.some((name) => name === fault.name)
}

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
