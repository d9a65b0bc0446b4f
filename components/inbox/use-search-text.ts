'use client'

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { SESSION_LOST } from '@/lib/api/request'
import { createSearchMemory, LIST_RESTARTED, type NavigationLike, type SearchMemory } from '@/lib/inbox/search-memory'

const SETTLE_MS = 80

/** The search field's text, and the same text a little later: what the list is asked for. */
export function useSearchText(list: string): { text: string; settled: string; write: (text: string) => void } {
  const memory = useMemo(() => (typeof window === 'undefined' ? NOTHING : tabMemory(list)), [list])
  const text = useSyncExternalStore(memory.subscribe, memory.read, NOTHING.read)
  useEffect(() => {
    window.addEventListener(SESSION_LOST, memory.wipe)
    const restart = (event: Event) => memory.leave(event instanceof CustomEvent ? String(event.detail ?? '') : '')
    window.addEventListener(LIST_RESTARTED, restart)
    return () => {
      window.removeEventListener(SESSION_LOST, memory.wipe)
      window.removeEventListener(LIST_RESTARTED, restart)
    }
  }, [memory])
  return { text, settled: useSettled(text), write: memory.write }
}

function tabMemory(list: string): SearchMemory {
  return createSearchMemory(list, window.sessionStorage, navigationOf(window))
}

/** The Navigation API where the browser has it; typed here because not every browser does. */
function navigationOf(page: { navigation?: NavigationLike | undefined }): NavigationLike | undefined {
  return page.navigation
}

/** The server renders without a search: it is never told one in a URL. */
const NOTHING: SearchMemory = {
  read: () => '',
  write: () => {},
  subscribe: () => () => {},
  leave: () => {},
  wipe: () => {},
}

/** The first letter goes out at once, so that one key answers at once; while the person goes on typing, only pauses do. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState({ text, at: 0 })
  useEffect(() => {
    if (text === settled.text) return
    const wait = Math.max(0, settled.at + SETTLE_MS - performance.now())
    const timer = setTimeout(() => setSettled({ text, at: performance.now() }), wait)
    return () => clearTimeout(timer)
  }, [text, settled])
  return settled.text
}
