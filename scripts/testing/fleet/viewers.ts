import { setTimeout as wait } from 'node:timers/promises'
import { LEAD_LISTS, LISTS } from '@/lib/contract/lists'
import { followStream } from '@/scripts/testing/live-stream'

/** `busy` is an honest 503 with Retry-After, `gateway` a 502 or 504 of the proxy. */
export type Failure = { kind: 'busy' | 'gateway' | 'cut' | 'wrong'; detail: string }

const LIST_INTERVAL_MS = 450
const DECISION_INTERVAL_MS = 1_300
const RECONNECT_INTERVAL_MS = 500
const REQUEST_TIMEOUT_MS = 40_000

/** Simulates users who read lists, decide about leads and follow the stream, until they are stopped. */
export function startViewers(origin: string, cookies: readonly string[], leads: readonly string[]) {
  const failures: Failure[] = []
  const handled: string[] = []
  let requests = 0
  const stopping = new AbortController()
  const undecided = [...leads]

  /** Returns the text of the answer, or null after a failure. */
  async function send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<string | null> {
    requests += 1
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    try {
      const response = await fetch(origin + path, { ...init, signal, redirect: 'manual' })
      const text = await response.text()
      if (response.ok) return text
      failures.push(classifyFailure(response, `${path}: ${response.status} ${text.slice(0, 120)}`))
    } catch (error) {
      failures.push(classifyFailure(error, path))
    }
    return null
  }

  async function readList(cookie: string, turn: number) {
    const list = LEAD_LISTS[turn % 2] ?? 'asked-questions'
    const text = await send(`${LISTS[list].path}?limit=20`, { headers: { cookie } })
    if (text !== null && !text.includes('"id"')) failures.push({ kind: 'wrong', detail: `no rows of ${list}` })
  }

  async function decide(cookie: string) {
    const id = undecided.pop()
    if (id === undefined) return
    const body = JSON.stringify({ leads: [{ kind: 'declaration-of-interest', id }], status: 'handled' })
    const headers = { cookie, origin, 'content-type': 'application/json' }
    if ((await send('/api/triage', { method: 'PATCH', headers, body })) !== null) handled.push(id)
  }

  async function follow(cookie: string) {
    requests += 1
    try {
      const response = await followStream(origin, { cookie, signal: stopping.signal, onEvent: () => {} })
      if (!response.ok) failures.push(classifyFailure(response, `stream: ${response.status}`))
    } catch (error) {
      if (!stopping.signal.aborted) failures.push(classifyFailure(error, 'stream'))
    }
  }

  async function repeat(everyMs: number, work: (turn: number) => Promise<void>) {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await work(turn)
      await wait(everyMs * (0.5 + Math.random()), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const working = cookies.flatMap((cookie) => [
    repeat(LIST_INTERVAL_MS, (turn) => readList(cookie, turn)),
    repeat(DECISION_INTERVAL_MS, () => decide(cookie)),
    repeat(RECONNECT_INTERVAL_MS, () => follow(cookie)),
  ])
  return {
    handled,
    /** Returns the requests and failures since the last report. */
    report: () => {
      const report = { requests, failures: failures.splice(0) }
      requests = 0
      return report
    },
    async stop() {
      stopping.abort()
      await Promise.all(working)
    },
  }
}

function classifyFailure(failed: unknown, detail: string): Failure {
  if (!(failed instanceof Response)) {
    const { message, cause } = failed as Error & { cause?: { code?: string } }
    const isCut = ['ECONNRESET', 'UND_ERR_SOCKET'].includes(cause?.code ?? '')
    return { kind: isCut ? 'cut' : 'wrong', detail: `${detail}: ${message} ${cause?.code ?? ''}` }
  }
  if (failed.status === 503 && failed.headers.has('retry-after')) return { kind: 'busy', detail }
  return { kind: failed.status === 502 || failed.status === 504 ? 'gateway' : 'wrong', detail }
}
