'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { changedSearch, createUrlWriter, type UrlChange, type UrlHistory } from '@/lib/inbox/url-writes'

type UrlState = { search: URLSearchParams; write: (change: UrlChange, history: UrlHistory) => void }

const Url = createContext<UrlState | null>(null)

/** The parameters of the address as the screen's state: read at once after writing, though the address may follow a little later. */
export function UrlStateProvider({ children }: { children: ReactNode }) {
  const pathname = usePathname()
  const routed = useSearchParams().toString()
  const [written] = useState(createWritten)
  const own = useSyncExternalStore(written.subscribe, written.read, NOTHING_WRITTEN)
  const writer = useMemo(
    () =>
      createUrlWriter({
        set: (search, history) => {
          // What waited while the person went elsewhere is about another page.
          if (location.pathname !== pathname) return
          const url = pathname + (search === '' ? '' : `?${search}`)
          if (history === 'push') window.history.pushState(null, '', url)
          else window.history.replaceState(null, '', url)
        },
        schedule: (delayMs, run) => {
          const timer = setTimeout(run, delayMs)
          return () => clearTimeout(timer)
        },
      }),
    [pathname],
  )
  // The router follows a little behind: what it says counts once it has come to where the address is.
  useLayoutEffect(() => {
    const isBehind = new URLSearchParams(location.search).toString() !== routed
    if (!isBehind && !writer.isWaiting()) written.set({ search: routed, pathname })
  }, [routed, pathname, writer, written])
  const current = own !== null && own.pathname === pathname ? own.search : routed
  const latest = useRef(current)
  useLayoutEffect(() => {
    latest.current = current
  }, [current])
  const write = useCallback(
    (change: UrlChange, history: UrlHistory) => {
      const search = changedSearch(latest.current, change)
      if (search === latest.current) return
      latest.current = search
      written.set({ search, pathname })
      writer.write(search, history)
    },
    [writer, pathname, written],
  )
  const state = useMemo(() => ({ search: new URLSearchParams(current), write }), [current, write])
  return <Url value={state}>{children}</Url>
}

export function useUrlState(): UrlState {
  const state = useContext(Url)
  if (state === null) throw new Error('UrlStateProvider is missing')
  return state
}

type Written = { search: string; pathname: string } | null

const NOTHING_WRITTEN = (): Written => null

/** What was written last, until the address says the same or something newer. */
function createWritten() {
  const listeners = new Set<() => void>()
  let written: Written = null
  return {
    read: () => written,
    set: (next: Written) => {
      if (next?.search === written?.search && next?.pathname === written?.pathname) return
      written = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
