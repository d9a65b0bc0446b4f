import { type Endpoint, endpoints } from './specification'

export type Fault = (ListFault | AnswerFault) & { on?: Endpoint; times?: number }

/** Faults without a value: of a list, and of the answer that holds it. */
const listFaults = ['orphan-lead', 'wrong-types', 'missing-fields', 'duplicate-ids', 'empty-list'] as const
const answerFaults = ['hang', 'reset', 'truncated', 'invalid-json', 'endless'] as const
type Named<Name extends string> = Name extends string ? { name: Name } : never

export type ListFault = Named<(typeof listFaults)[number]> | { name: 'shrinking-list'; keep: number }

export type AnswerFault =
  | Named<(typeof answerFaults)[number]>
  | { name: 'status'; status: 401 | 403 | 429; retryAfterSeconds?: number }
  | { name: 'html'; status: 500 | 502 | 503 }
  | { name: 'delay' | 'drip'; ms: number }
  | { name: 'redirect'; to: string }

export function isListFault(fault: Fault): fault is ListFault & { on?: Endpoint; times?: number } {
  return fault.name === 'shrinking-list' || listFaults.some((name) => name === fault.name)
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
  return Object.hasOwn(VALUED, name) ? VALUED[name]?.(value) : undefined
}

const VALUED: Record<string, (value: string | undefined) => Fault | undefined> = {
  'shrinking-list': (value = '0.5') => {
    const keep = Number(value)
    return keep >= 0 && keep <= 1 ? { name: 'shrinking-list', keep } : undefined
  },
  delay: (value) => timedFault('delay', value),
  drip: (value) => timedFault('drip', value),
  html: (value = '502') => {
    const status = ([500, 502, 503] as const).find((each) => String(each) === value)
    return status && { name: 'html', status }
  },
  status: (value = '429') => {
    const [, code, wait] = /^(\d+)(?:,(\d+))?$/.exec(value) ?? []
    const status = ([401, 403, 429] as const).find((each) => String(each) === code)
    return status && { name: 'status', status, ...(wait !== undefined && { retryAfterSeconds: Number(wait) }) }
  },
  redirect: (to = 'https://elsewhere.example.org/') => (URL.canParse(to) ? { name: 'redirect', to } : undefined),
}

function timedFault(name: 'delay' | 'drip', value = '5000'): Fault | undefined {
  return Number(value) >= 0 ? { name, ms: Number(value) } : undefined
}
