import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { after } from '@/lib/after'
import { onEvents } from '@/components/ui/browser-tab'
import { createShownState, useShown } from '@/components/ui/shown-state'

type UrlState = { search: URLSearchParams; write: (change: UrlChange, history: UrlHistory) => void }

const Url = createContext<UrlState | null>(null)

/** The parameters of the address as state: a write can be read at once, though the address may lag behind. */
export function UrlStateProvider({ children }: { children: ReactNode }) {
  const pathname = usePathname()
  const routerSearch = useSearchParams().toString()
  const [written] = useState(() => createShownState<{ search: string; pathname: string } | null>(null))
  const last = useShown(written, (state) => state)
  const writer = useMemo(
    () =>
      createUrlWriter({
        set: (search, history) => {
          // A write that was waiting when the person left belongs to another page.
          if (location.pathname !== pathname) return
          const url = pathname + (search === '' ? '' : `?${search}`)
          if (history === 'push') window.history.pushState(null, '', url)
          else window.history.replaceState(null, '', url)
        },
        schedule: after,
      }),
    [pathname],
  )
  // The router lags a little behind the address: its parameters count once the two agree.
  useLayoutEffect(() => {
    const isBehind = currentSearch() !== routerSearch
    if (!isBehind && !writer.isWaiting() && written.read() !== null) written.show({ search: routerSearch, pathname })
  }, [routerSearch, pathname, writer, written])
  // Gone back or forward: what the address says counts at once, and what waited belongs to the step that was left.
  useEffect(
    () =>
      onStepBack(() => {
        writer.discard()
        written.show({ search: currentSearch(), pathname: location.pathname })
      }),
    [writer, written],
  )
  const current = last?.pathname === pathname ? last.search : routerSearch
  const latest = useRef(current)
  useLayoutEffect(() => {
    latest.current = current
  }, [current])
  const write = useCallback(
    (change: UrlChange, history: UrlHistory) => {
      const search = changedSearch(latest.current, change)
      if (search === latest.current) return
      latest.current = search
      written.show({ search, pathname })
      writer.write(search, history)
    },
    [writer, pathname, written],
  )
  const state = useMemo(() => ({ search: new URLSearchParams(current), write }), [current, write])
  return <Url value={state}>{children}</Url>
}

const onStepBack = onEvents(() => window, 'popstate')
const currentSearch = () => new URLSearchParams(location.search).toString()

export function useUrlState(): UrlState {
  const state = useContext(Url)
  if (state === null) throw new Error('UrlStateProvider is missing')
  return state
}

/** Writes parameters that the server draws the page by: a step in the history, then a refresh. */
export function useServerRedraw(): (change: UrlChange) => void {
  const { write } = useUrlState()
  const router = useRouter()
  return (change) => {
    write(change, 'push')
    router.replace(location.pathname + location.search, { scroll: false })
  }
}

/** For parameters with one value each; null takes the parameter out of the address. */
export function singleValues(change: Readonly<Record<string, string | number | null>>): UrlChange {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value === null ? [] : [String(value)]]),
  )
}

export type UrlChange = Readonly<Record<string, readonly string[]>>
type UrlHistory = 'push' | 'replace'

export function changedSearch(search: string, change: UrlChange): string {
  const params = new URLSearchParams(search)
  for (const [name, values] of Object.entries(change)) {
    params.delete(name)
    for (const value of values) params.append(name, value)
  }
  return params.toString()
}

/** Browsers refuse more than some hundred changes in half a minute; a key held down makes thirty a second. */
const PAUSE_MS = 120

export function createUrlWriter(options: {
  set: (search: string, history: UrlHistory) => void
  schedule: (delayMs: number, run: () => void) => () => void
}) {
  let pending: string | null = null
  let isPausing = false
  const flush = () => {
    const search = pending
    pending = null
    if (search !== null) options.set(search, 'replace')
  }
  return {
    /** `push` is written at once, `replace` may wait a little. */
    write: (search: string, history: UrlHistory) => {
      if (history === 'push') {
        pending = null
        return options.set(search, 'push')
      }
      pending = search
      if (isPausing) return
      flush()
      isPausing = true
      options.schedule(PAUSE_MS, () => {
        isPausing = false
        flush()
      })
    },
    isWaiting: () => pending !== null,
    discard: () => {
      pending = null
    },
  }
}
