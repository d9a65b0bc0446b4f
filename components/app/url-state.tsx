import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useLayoutEffect, useMemo } from 'react'
import { createExternalStore, createWindowSubscription, useExternalStore } from '@/components/ui/external-store'
import { applyUrlChange, createUrlWriter, type HistoryMode, type UrlChange, type WrittenUrl } from '@/lib/url-writer'

type UrlState = { searchParams: URLSearchParams; write: (change: UrlChange, history: HistoryMode) => void }

/** The parameters written last, which are valid on their own pathname only. */
const lastWrittenUrl = createExternalStore<WrittenUrl | null>(null)

const writer = createUrlWriter(({ search, pathname }, history) => {
  // A write that still waits after the user has left this page is dropped.
  if (location.pathname !== pathname) return
  const url = search === '' ? pathname : `${pathname}?${search}`
  if (history === 'push') window.history.pushState(null, '', url)
  else window.history.replaceState(null, '', url)
})

const UrlStateContext = createContext<UrlState | null>(null)

/** Provides the parameters of the URL as state: what is written can be read at once, though the URL may lag behind. */
export function UrlStateProvider({ children }: { children: ReactNode }) {
  const pathname = usePathname()
  const routerSearch = useSearchParams().toString()
  const writtenUrl = useExternalStore(lastWrittenUrl)
  // The router lags a little behind the URL, so its parameters are valid once the two agree.
  useLayoutEffect(() => {
    const isRouterCurrent = readSearch() === routerSearch
    if (isRouterCurrent && !writer.isWaiting() && lastWrittenUrl.read() !== null)
      lastWrittenUrl.set({ search: routerSearch, pathname })
  }, [routerSearch, pathname])
  // After a step back or forward the URL is valid at once; a pending write belongs to the entry that was left.
  useEffect(() => {
    return onHistoryStep(() => {
      writer.discard()
      lastWrittenUrl.set({ search: readSearch(), pathname: location.pathname })
    })
  }, [])
  const write = useCallback(
    (change: UrlChange, history: HistoryMode) => {
      const latestUrl = lastWrittenUrl.read()
      const oldSearch = latestUrl?.pathname === pathname ? latestUrl.search : readSearch()
      const search = applyUrlChange(oldSearch, change)
      if (search === oldSearch) return
      lastWrittenUrl.set({ search, pathname })
      writer.write({ search, pathname }, history)
    },
    [pathname],
  )
  const search = writtenUrl?.pathname === pathname ? writtenUrl.search : routerSearch
  const state = useMemo(() => ({ searchParams: new URLSearchParams(search), write }), [search, write])
  return <UrlStateContext value={state}>{children}</UrlStateContext>
}

const onHistoryStep = createWindowSubscription('popstate')
const readSearch = () => new URLSearchParams(location.search).toString()

export function useUrlState(): UrlState {
  const state = useContext(UrlStateContext)
  if (state === null) throw new Error('UrlStateProvider is missing')
  return state
}

/** Writes parameters that a page's server component reads: pushes a history entry, then renders the page again. */
export function useServerRefresh(): (change: UrlChange) => void {
  const { write } = useUrlState()
  const router = useRouter()
  return (change) => {
    write(change, 'push')
    router.replace(location.pathname + location.search, { scroll: false })
  }
}
