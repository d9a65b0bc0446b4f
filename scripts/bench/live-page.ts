import { PAGE_SIZE } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'

/** One answer of the app, as far as a page of this bench looks at it. */
export type Answer = { status: number; retryAfterMs: number | null; text: string }

export type Asked = { path: string; body?: object }

type PageOptions = {
  list: LeadList
  ask: (asked: Asked) => Promise<Answer>
  /** Opens the live stream; `onEnd` is called once when it is lost. */
  listen: (onEvent: (name: string, data: string) => void, onEnd: () => void) => void
  /** The rows on screen now. */
  onRows: (text: string) => void
}

/** `NUMBERS_MS` of `lib/api/live.ts`. */
const NUMBERS_MS = 8_000
const RECONNECT_MS = 2_000
const PATHS: Record<LeadList, { screen: string; list: string }> = {
  'declarations-of-interest': { screen: '/declarations', list: '/api/declarations-of-interest' },
  'asked-questions': { screen: '/questions', list: '/api/asked-questions' },
}

/**
 * What an open inbox asks of the server and when, as `components/browser/live.tsx` and `lib/api/live.ts` have it, without a
 * browser around it.
 */
export function createLivePage({ list, ask, listen, onRows }: PageOptions) {
  const { screen, list: path } = PATHS[list]
  let known = 'none'
  const show = (text: string) => {
    known = etagIn(text)
    onRows(text)
  }
  const rows = once(async () => {
    const answer = await ask({ path: `${path}?offset=0&limit=${PAGE_SIZE}&known=${known}` })
    if (answer.status === 200) show(answer.text)
    return answer.status >= 500 || answer.status === 0 ? (answer.retryAfterMs ?? 5_000) : null
  })
  let numbersWait = false
  const numbers = () => {
    if (numbersWait) return
    numbersWait = true
    later(NUMBERS_MS * (1 + Math.random()), () => {
      numbersWait = false
      void ask({ path: '/api/list-counts', body: { matching: { list } } })
      void ask({ path: '/api/views' })
    })
  }
  const onEvent = (name: string, data: string) => {
    if (name !== 'changed' && name !== 'triage') return
    const told: { list: string; yours?: boolean; askInMs?: number } = JSON.parse(data)
    if (told.list !== list || told.yours === false) return
    later(told.askInMs ?? Math.random() * 400, rows)
    numbers()
  }
  const connect = (failures: number) => {
    const opened = Date.now()
    listen(onEvent, () => {
      const next = Date.now() - opened > 20_000 ? 1 : failures + 1
      later(Math.min(60_000, RECONNECT_MS * 2 ** (next - 1)) * (0.5 + Math.random() / 2), () => connect(next))
    })
  }
  return {
    /** Resolves when the screen is there; its numbers and its stream follow. */
    async open(): Promise<void> {
      const page = await ask({ path: screen })
      show(page.text)
      connect(0)
      void ask({ path: '/api/list-counts', body: { matching: { list } } })
      void ask({ path: '/api/views' })
    },
  }
}

/** What names the page of leads in this text, which may be HTML with JSON in it. */
function etagIn(text: string): string {
  return /\betag\\*":\\*"([\w-]+)/.exec(text)?.[1] ?? 'none'
}

/** Never two at once: what is wanted meanwhile is done once, afterwards. The work answers after how long to try again. */
function once(work: () => Promise<number | null>): () => void {
  let state: 'idle' | 'busy' | 'wanted' = 'idle'
  const start = async () => {
    state = 'busy'
    const waitMs = await work()
    const again = state === ('wanted' as typeof state)
    state = 'idle'
    if (waitMs !== null) later(waitMs + Math.random() * 1_500, run)
    else if (again) run()
  }
  const run = () => {
    if (state === 'idle') void start()
    else state = 'wanted'
  }
  return run
}

function later(delayMs: number, run: () => void): void {
  setTimeout(run, delayMs)
}
