import { endpoints } from '../http/endpoints'
import type { Fault } from './fault'

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
  switch (name) {
    case 'orphan-lead':
    case 'wrong-types':
    case 'missing-fields':
    case 'duplicate-ids':
    case 'empty-list':
    case 'hang':
    case 'reset':
    case 'truncated':
    case 'invalid-json':
    case 'endless':
      return value === undefined ? { name } : undefined
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
