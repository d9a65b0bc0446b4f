import type { Endpoint } from '../http/endpoints'

/** What can go wrong with the list itself; the answer around it is sound. */
export type ListFault =
  | { name: 'orphan-lead' }
  | { name: 'wrong-types' }
  | { name: 'missing-fields' }
  | { name: 'duplicate-ids' }
  | { name: 'empty-list' }
  /** Only the newest `keep` (0 to 1) of the list is left. */
  | { name: 'shrinking-list'; keep: number }

/** What can go wrong with an answer, or on its way. */
export type AnswerFault =
  | { name: 'status'; status: 401 | 403 | 429; retryAfterSeconds?: number }
  | { name: 'html'; status: 500 | 502 | 503 }
  | { name: 'hang' }
  | { name: 'delay'; ms: number }
  /** The body comes in small pieces over `ms`. */
  | { name: 'drip'; ms: number }
  | { name: 'reset' }
  | { name: 'truncated' }
  | { name: 'invalid-json' }
  | { name: 'endless' }
  | { name: 'redirect'; to: string }

/** `on` limits a fault to one endpoint, `times` to so many requests. */
export type Fault = (ListFault | AnswerFault) & { on?: Endpoint; times?: number }

export function isListFault(fault: Fault): fault is ListFault & { on?: Endpoint; times?: number } {
  switch (fault.name) {
    case 'orphan-lead':
    case 'wrong-types':
    case 'missing-fields':
    case 'duplicate-ids':
    case 'empty-list':
    case 'shrinking-list':
      return true
    default:
      return false
  }
}
