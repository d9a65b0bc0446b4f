import { type Endpoint, endpoints } from './specification'

/** Something that goes wrong on purpose; `on` limits it to one endpoint, `times` to so many requests. */
export type Fault = (ListFault | AnswerFault) & { on?: Endpoint; times?: number }

/** What needs no value: what can go wrong with the list itself, where the answer around it is sound, and with an answer. */
const listFaults = ['orphan-lead', 'wrong-types', 'missing-fields', 'duplicate-ids', 'empty-list'] as const
const answerFaults = ['hang', 'reset', 'truncated', 'invalid-json', 'endless'] as const
type Named<Name extends string> = Name extends string ? { name: Name } : never

/** Of a list that shrinks, only the newest `keep` (0 to 1) is left. */
export type ListFault = Named<(typeof listFaults)[number]> | { name: 'shrinking-list'; keep: number }

/** What can go wrong with an answer, or on its way; the body that drips comes in small pieces over `ms`. */
export type AnswerFault =
  | Named<(typeof answerFaults)[number]>
  | { name: 'status'; status: 401 | 403 | 429; retryAfterSeconds?: number }
  | { name: 'html'; status: 500 | 502 | 503 }
  | { name: 'delay' | 'drip'; ms: number }
  | { name: 'redirect'; to: string }

export function isListFault(fault: Fault): fault is ListFault & { on?: Endpoint; times?: number } {
  return fault.name === 'shrinking-list' || listFaults.some((name) => name === fault.name)
}

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

export const faultSyntax = `<name>[=<value>][@<endpoint>][*<times>], where <name>[=<value>] is one of
    orphan-lead wrong-types missing-fields duplicate-ids empty-list shrinking-list=<share kept, 0 to 1>
    status=<401|403|429>[,<Retry-After in seconds>] html=<500|502|503> redirect=<url>
    hang delay=<ms> drip=<ms> reset truncated invalid-json endless`

/** A fault as the command line writes it, such as `html=502@highSchools*3`; throws if it is none. */
export function parseFault(text: string): Fault {
  const [, name = '', value, endpoint, times] = /^([\w-]+)(?:=(.*?))?(?:@([A-Za-z]+))?(?:\*(\d+))?$/.exec(text) ?? []
  const on = endpoints.find((each) => each === endpoint)
  if (endpoint !== undefined && !on) throw new Error(`no endpoint ${endpoint}; there are ${endpoints.join(', ')}`)
  const fault = withValue(name, value)
  if (!fault) throw new Error(`no fault "${text}"; a fault is ${faultSyntax}`)
  return { ...fault, ...(on && { on }), ...(times !== undefined && { times: Number(times) }) }
}

function withValue(name: string, value: string | undefined): Fault | undefined {
  const plain = [...listFaults, ...answerFaults].find((each) => each === name)
  if (plain) return value === undefined ? { name: plain } : undefined
  switch (name) {
    case 'shrinking-list': {
      const keep = Number(value ?? 0.5)
      return keep >= 0 && keep <= 1 ? { name, keep } : undefined
    }
    case 'delay':
    case 'drip': {
      const ms = Number(value ?? 5000)
      return ms >= 0 ? { name, ms } : undefined
    }
    case 'html': {
      const status = ([500, 502, 503] as const).find((each) => String(each) === (value ?? '502'))
      return status && { name, status }
    }
    case 'status':
      return statusFault(value ?? '429')
    case 'redirect': {
      const to = value ?? 'https://elsewhere.example.org/'
      return URL.canParse(to) ? { name, to } : undefined
    }
    default:
      return undefined
  }
}

function statusFault(value: string): Fault | undefined {
  const [, code, wait] = /^(\d+)(?:,(\d+))?$/.exec(value) ?? []
  const status = ([401, 403, 429] as const).find((each) => String(each) === code)
  return status && { name: 'status', status, ...(wait !== undefined && { retryAfterSeconds: Number(wait) }) }
}
