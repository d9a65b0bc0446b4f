import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { createSubscription } from './external-store'

/** Tells whether the browser has a network. Without one requests wait, so that no failure shows it. */
export const useIsOnline = () => useSyncExternalStore(onNetworkChange, () => onlineManager.isOnline(), isTrue)

const onNetworkChange = (listener: () => void) => onlineManager.subscribe(listener)

/** Tells whether the screen has room for two panes (`desk` in the style sheet). */
export const useIsWide = () => useSyncExternalStore(onResize, isWide, isTrue)

const onResize = createSubscription('resize')
export const isWide = () => window.matchMedia('(width >= 51.25rem) and (height >= 30rem)').matches

/** Tells whether hydration is done. What is rendered only then is not in the server's HTML. */
export const useIsHydrated = () => useSyncExternalStore(subscribeToNothing, isTrue, () => false)

const subscribeToNothing = () => () => {}
const isTrue = () => true

export function useTitleCount(count: number): void {
  useEffect(() => {
    document.title = addTitleCount(document.title, count)
    return () => {
      document.title = addTitleCount(document.title, 0)
    }
  }, [count])
}

export function addTitleCount(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return count > 0 ? `(${count}) ${bare}` : bare
}
